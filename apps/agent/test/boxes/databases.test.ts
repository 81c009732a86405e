import { databasesOnServer } from './databases-on-server.ts';

databasesOnServer({ box: 'databases', unit: 'mariadb', client: 'mariadb', dump: 'mariadb-dump' });

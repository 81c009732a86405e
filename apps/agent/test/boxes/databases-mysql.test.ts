import { describe } from 'vitest';
import { databasesOnServer } from './databases-on-server.ts';

/**
 * The same tests as databases.test.ts, on a server whose operator has MySQL in place of MariaDB. Only in
 * `./scripts/test --all`: Debian has that MySQL in sid, whose packages change each day.
 */
describe.runIf(process.env.INNKEEPER_TEST_ALL === 'true')('with MySQL', () => {
  databasesOnServer({
    box: 'databases-mysql',
    system: 'debian13-mysql',
    unit: 'mysql',
    client: 'mysql',
    dump: 'mysqldump',
  });
});

import type { Endpoint } from '../endpoint.ts';
import {
  act,
  change,
  create,
  dataOf,
  listOfAccount,
  messageOf,
  remove,
  show,
  written,
} from '../endpoint-kinds.ts';
import { pageOf } from '../pagination.ts';
import * as requests from './requests.ts';
import { database, databaseWithAccount } from './responses.ts';

export const databaseEndpoints = {
  listDatabases: {
    ...listOfAccount,
    path: '/databases',
    access: 'databases:read',
    query: requests.listDatabasesQuery,
    response: pageOf(database),
    summary: 'List the databases of one account or of all accounts that the token can see.',
  },
  createDatabase: {
    ...create,
    path: '/databases',
    access: 'databases:write',
    body: requests.createDatabaseBody,
    response: dataOf(databaseWithAccount),
    summary: 'Create a database with its own database user.',
  },
  getDatabase: {
    ...show,
    path: '/databases/{id}',
    access: 'databases:read',
    response: dataOf(databaseWithAccount),
    summary: 'Get a database.',
  },
  resetDatabasePassword: {
    ...change,
    path: '/databases/{id}/password',
    access: 'databases:write',
    response: dataOf(databaseWithAccount),
    errors: written,
    summary: 'Reset the password of a database. Only the panel shows the new password.',
  },
  allowDatabaseIp: {
    ...act,
    path: '/databases/{id}/allowed-ips',
    access: 'databases:write',
    body: requests.allowedIpBody,
    response: dataOf(databaseWithAccount),
    summary: 'Allow an IP address to connect to a database remotely.',
  },
  revokeDatabaseIp: {
    ...remove,
    path: '/databases/{id}/allowed-ips/{ip}',
    access: 'databases:write',
    params: requests.allowedIpParams,
    response: dataOf(databaseWithAccount),
    summary: 'Revoke the remote access of an IP address to a database.',
  },
  removeDatabase: {
    ...remove,
    path: '/databases/{id}',
    access: 'databases:write',
    response: messageOf('Database removal queued'),
    summary: 'Drop a database and its user.',
  },
} as const satisfies Record<string, Endpoint>;

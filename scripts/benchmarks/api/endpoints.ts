import type { Database } from '@innkeeper/db';
import type { Kysely } from 'kysely';
import type { LoadOrder } from './load.ts';
import { SIMULATED_EVERY } from './seed.ts';

export interface MeasuredEndpoint {
  name: string;
  isRead: boolean;
  /** The endpoint needs no token. */
  isPublic?: true;
  /** Requests for a database with the account ids 1 to `accounts`. */
  requests(accounts: number): LoadOrder['requests'];
  /** Removes the records that the requests have made: an account must not grow from round to round. */
  undo?(db: Kysely<Database>): Promise<unknown>;
}

const VARIETY = 1_000;
const BULK_IDS = 100;
const JOB_NAME = 'Bench';

/**
 * Returns the same ids in every run, spread over the whole table: neighbouring rows would be on pages that are already
 * cached.
 */
function scattered(accounts: number, index: number): number {
  return 1 + ((index * 7_919) % accounts);
}

const get = (path: string) => ({ method: 'GET', path: `/api/v1${path}` });
const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index));

export const measuredEndpoints: readonly MeasuredEndpoint[] = [
  { name: 'GET /health', isRead: true, isPublic: true, requests: () => [get('/health')] },
  { name: 'GET /auth/me', isRead: true, requests: () => [get('/auth/me')] },
  {
    name: 'GET /accounts/{id}',
    isRead: true,
    requests: (accounts) => times(VARIETY, (index) => get(`/accounts/${scattered(accounts, index)}`)),
  },
  {
    name: 'GET /accounts?per_page=25',
    isRead: true,
    requests: () => [get('/accounts?per_page=25')],
  },
  {
    name: 'GET /accounts/usage/bulk, 100 ids',
    isRead: true,
    requests: (accounts) =>
      times(VARIETY / 10, (index) => {
        const ids = times(BULK_IDS, (place) => scattered(accounts, index * BULK_IDS + place));
        return get(`/accounts/usage/bulk?${ids.map((id) => `hosting_account_id[]=${id}`).join('&')}`);
      }),
  },
  {
    name: 'POST /cron-jobs',
    isRead: false,
    // The same 250 accounts of the simulated node, for any number of accounts.
    requests: () =>
      times(250, (index) => ({
        method: 'POST',
        path: '/api/v1/cron-jobs',
        body: JSON.stringify({
          hosting_account_id: (index + 1) * SIMULATED_EVERY,
          name: JOB_NAME,
          schedule: '*/5 * * * *',
          command: 'php /home/customer/cron.php',
        }),
      })),
    undo: (db) => db.deleteFrom('cron_jobs').where('name', '=', JOB_NAME).execute(),
  },
];

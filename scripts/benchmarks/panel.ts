import { createHash, randomBytes } from 'node:crypto';
import type { Database } from '@innkeeper/db';
import type { DatabaseServer } from '@innkeeper/testkit/machine';
import type { Kysely } from 'kysely';
import { buildBundles } from '../build.ts';
import { type BenchControlPlane, startBenchControlPlane } from './api/control-plane.ts';
import type { LoadOrder } from './api/load.ts';
import { CONNECTIONS, measureRound, medians, type Round, startBenchDatabase } from './api/measure.ts';
import { refreshUsage } from './api/seed.ts';

const ACCOUNTS = 100_000;
const CUSTOMERS = 1_000;
const GOAL = 1.5;
const NAME_WIDTH = 44;
const HOUR_MS = 3_600_000;

type Order = Pick<LoadOrder, 'requests' | 'callers'>;

/** A page, and the REST request with the same data. */
interface MeasuredPage {
  name: string;
  rest: string;
  ofPage: Order;
  ofRest: Order;
}

/**
 * Loads the panel's pages and the REST requests with the same data, alternately, on a database with 100,000 accounts.
 * Prints the medians of the rounds.
 */
export async function benchPanel(rounds: number, only: string): Promise<void> {
  await buildBundles(['innkeeper-api']);
  await using parts = new AsyncDisposableStack();
  const { mariadb, logDir } = await startBenchDatabase(parts);
  console.log(`panel: inserting ${ACCOUNTS} accounts`);
  const controlPlane = await startBenchControlPlane(mariadb, logDir, ACCOUNTS);
  parts.defer(() => controlPlane.stop());

  console.log(
    `medians of ${rounds} rounds with ${CONNECTIONS} connections; goal: p99 of a page under ${GOAL} × that of REST\n`,
  );
  const columns = ['bytes', 'req/s', 'p50 ms', 'p99 ms', 'stmts', 'CPU µs', 'p50 ratio', 'p99 ratio'];
  console.log(''.padEnd(NAME_WIDTH) + columns.map((name) => name.padStart(11)).join(''));
  for (const page of (await measuredPages(controlPlane)).filter(({ name }) => name.includes(only))) {
    await refreshUsage(controlPlane.db);
    await compare(mariadb, controlPlane, page, rounds);
  }
}

async function compare(
  mariadb: DatabaseServer,
  controlPlane: BenchControlPlane,
  { name, rest, ofPage, ofRest }: MeasuredPage,
  rounds: number,
): Promise<void> {
  const bytes = { page: await bytesOf(controlPlane, ofPage), rest: await bytesOf(controlPlane, ofRest) };
  const seen: Record<'page' | 'rest', Round[]> = { page: [], rest: [] };
  for (let round = 0; round < rounds; round += 1) {
    seen.page.push(await measureRound(mariadb, controlPlane.api, round, ofPage));
    seen.rest.push(await measureRound(mariadb, controlPlane.api, round, ofRest));
  }
  const [page, floor] = [medians(seen.page), medians(seen.rest)];
  const ratios = [page.p50 / floor.p50, page.p99 / floor.p99] as const;
  printRow(name, bytes.page, page, ratios, ratios[1] < GOAL ? '  reached' : '  MISSED');
  printRow(`  ${rest}`, bytes.rest, floor, []);
}

async function measuredPages({ db, accounts, callers: admins }: BenchControlPlane): Promise<MeasuredPage[]> {
  const ids = Array.from({ length: CUSTOMERS }, (_, index) => 1 + ((index * 7_919) % accounts));
  // One account in fifty is suspended and has no panel.
  const open = ids.filter((id) => id % 50 !== 1);
  const users = await db.selectFrom('accounts').select(['id', 'user_id']).where('id', 'in', open).execute();
  const customers = await openSessions(
    db,
    users.map(({ user_id }) => user_id),
  );
  const staff = await db.selectFrom('users').select('id').where('role', '=', 'admin').execute();
  const operators = await openSessions(
    db,
    staff.map(({ id }) => id),
  );
  return [
    {
      name: '/ (a customer)',
      rest: 'GET /accounts/{id}?include=usage',
      ofPage: { requests: [get('/')], callers: customers },
      ofRest: {
        requests: users.map(({ id }) => get(`/api/v1/accounts/${id}?include=usage`)),
        callers: admins,
      },
    },
    {
      // No REST request has a history. The page reads one account, as this request does.
      name: '/usage?range=30d (a customer)',
      rest: 'GET /accounts/{id}?include=usage',
      ofPage: { requests: [get('/usage?range=30d')], callers: customers },
      ofRest: {
        requests: users.map(({ id }) => get(`/api/v1/accounts/${id}?include=usage`)),
        callers: admins,
      },
    },
    {
      // No REST request has the state of the servers.
      name: '/ (an operator)',
      rest: 'GET /accounts?per_page=25',
      ofPage: { requests: [get('/')], callers: operators },
      ofRest: { requests: [get('/api/v1/accounts?per_page=25')], callers: admins },
    },
    {
      name: '/accounts',
      rest: 'GET /accounts?per_page=25',
      ofPage: { requests: [get('/accounts')], callers: operators },
      ofRest: { requests: [get('/api/v1/accounts?per_page=25')], callers: admins },
    },
    {
      // The REST API has no list of tokens, so the page is compared with a list of as many records.
      name: '/security/tokens',
      rest: 'GET /accounts?per_page=25',
      ofPage: { requests: [get('/security/tokens')], callers: operators },
      ofRest: { requests: [get('/api/v1/accounts?per_page=25')], callers: admins },
    },
  ];
}

const get = (path: string) => ({ method: 'GET', path });

/** Creates a session for each user and returns the cookies of their browsers. */
async function openSessions(
  db: Kysely<Database>,
  userIds: readonly number[],
): Promise<LoadOrder['callers'][number][]> {
  const now = new Date();
  const sessions = userIds.map((user_id) => ({ user_id, token: randomBytes(32).toString('base64url') }));
  const rows = sessions.map(({ user_id, token }) => ({
    token_hash: createHash('sha256').update(token).digest(),
    user_id,
    method: 'password' as const,
    address: '127.0.0.1',
    user_agent: 'bench',
    created_at: now,
    // Prevents the measured requests from recording a use of the session.
    last_seen_at: new Date(now.getTime() + HOUR_MS),
    expires_at: new Date(now.getTime() + 12 * HOUR_MS),
  }));
  await db.insertInto('sessions').values(rows).execute();
  return sessions.map(({ token }) => ({ header: 'Cookie' as const, value: `innkeeper_session=${token}` }));
}

/** Returns the size of the answer's body. Throws if it is not a success. */
async function bytesOf({ api }: BenchControlPlane, { requests, callers }: Order): Promise<number> {
  const [request, caller] = [requests[0], callers[0]];
  if (request === undefined || caller === undefined) throw new Error('There is nothing to ask.');
  const response = await fetch(`http://127.0.0.1:${api.port}${request.path}`, {
    headers: { [caller.header]: caller.value },
    redirect: 'manual',
  });
  if (response.status !== 200) throw new Error(`${request.path} answered ${response.status}`);
  return (await response.arrayBuffer()).byteLength;
}

function printRow(name: string, bytes: number, round: Round, ratios: readonly number[], verdict = ''): void {
  const figures = [
    String(bytes),
    round.requestsPerSecond.toFixed(0),
    round.p50.toFixed(2),
    round.p99.toFixed(2),
    round.statements.toFixed(2),
    round.cpuUs.toFixed(0),
    ...ratios.map((ratio) => ratio.toFixed(2)),
  ];
  console.log(name.padEnd(NAME_WIDTH) + figures.map((figure) => figure.padStart(11)).join('') + verdict);
}

import { deleteExpiredSessions, expireSessionsOfUser, inTransaction } from '@innkeeper/db';
import {
  createReseller,
  endAllSessions,
  endSession,
  findSession,
  listSessions,
  sweepSessions,
  tellSessionEnd,
} from '@innkeeper/services';
import { beforeAll, expect, test } from 'vitest';
import { createSession } from '../../src/sessions/create-session.ts';

import { signedIn, visitor } from './panel-users.ts';
import {
  contextOf,
  counting,
  fresh,
  insertAccountRecord,
  insertNodeRecord,
  ownDatabase,
  rowsWhere,
  rowWhere,
  updateRows,
} from './records.ts';
import { expectRefusal } from './refusals.ts';

const database = ownDatabase();
let node_id: number;
beforeAll(async () => {
  node_id = await insertNodeRecord(database.db);
});

const start = new Date('2026-11-21T08:00:00Z');
const MINUTE = 60_000;
const after = (minutes: number, ms = 0) => new Date(start.getTime() + minutes * MINUTE + ms);

async function staff(): Promise<number> {
  const username = fresh('staff');
  const input = { username, email: `${username}@example.com`, password: 'correct horse' };
  return (await createReseller(contextOf(database.db), input)).id;
}

const begin = (user_id: number, at = start, userAgent = 'Mozilla/5.0') =>
  inTransaction(database.db, (trx) =>
    createSession(
      trx,
      { ...visitor(database.db, at), userAgent },
      { user_id, account_id: null, method: 'password' },
    ),
  );
const find = (token: string, now: Date) => findSession(database.db, { token, now });
const rowsOf = (user_id: number) => rowsWhere(database.db, 'sessions', { user_id });

test('a session token has 256 random bits, and only its hash is stored', async () => {
  const user = await staff();
  const { token, expires_at } = await begin(user);
  expect(Buffer.from(token, 'base64url')).toHaveLength(32);
  expect(expires_at).toEqual(after(12 * 60));
  const [row] = await rowsOf(user);
  expect(row?.token_hash.toString('hex')).toMatch(/^[0-9a-f]{64}$/);
  expect(JSON.stringify(row)).not.toContain(token);
  expect(await find(token, start)).toMatchObject({ user: { id: user, role: 'reseller' }, account_id: null });
});

test('a session ends two hours after its last use', async () => {
  const { token } = await begin(await staff());
  expect(await find(token, after(120, -1))).not.toBe(null);
  expect(await find(token, after(239, 0)), 'the use was noted').not.toBe(null);
  expect(await find(token, after(359, 0))).toBe(null);
});

test('a session ends after twelve hours', async () => {
  const { token } = await begin(await staff());
  for (let minute = 90; minute < 720; minute += 90) expect(await find(token, after(minute))).not.toBe(null);
  expect(await find(token, after(720, -1))).not.toBe(null);
  expect(await find(token, after(720))).toBe(null);
});

test('the last use is stored at most once a minute: a request costs one or two statements', async () => {
  const user = await staff();
  const { token } = await begin(user);
  const { db, statements } = counting(database.db);
  await findSession(db, { token, now: after(0, 59_999) });
  expect(statements()).toBe(1);
  await findSession(db, { token, now: after(1) });
  expect(statements()).toBe(3);
  await findSession(db, { token, now: after(1, 59_999) });
  expect(statements()).toBe(4);
  expect((await rowsOf(user))[0]?.last_seen_at).toEqual(after(1));
});

test('an unknown token is no session, and a malformed token costs no statement', async () => {
  const { token } = await begin(await staff());
  const { db, statements } = counting(database.db);
  for (const none of ['', 'x', `${token}x`, token.slice(1), `${token.slice(1)}=`, '%', 'é'.repeat(43)])
    expect(await findSession(db, { token: none, now: start }), none).toBe(null);
  expect(statements()).toBe(0);
  expect(await findSession(db, { token: 'A'.repeat(43), now: start })).toBe(null);
});

test('the session of an end user without an active account is invalid', async () => {
  const username = fresh('tenant');
  const id = await insertAccountRecord(database.db, { username, node_id });
  const { user_id } = await rowWhere(database.db, 'accounts', { id });
  const { token } = await begin(user_id);
  const becomes = (state: 'active' | 'suspended' | 'terminating') =>
    updateRows(database.db, 'accounts', { id }, { state });
  expect(await find(token, start)).toMatchObject({ account_id: id, user: { username, role: 'user' } });
  for (const state of ['suspended', 'terminating'] as const) {
    await becomes(state);
    expect(await find(token, start)).toBe(null);
  }
  await becomes('active');
  expect(await find(token, start)).not.toBe(null);
  await database.db.deleteFrom('accounts').where('id', '=', id).execute();
  expect(await find(token, start)).toBe(null);
});

test('a new session ends the former sessions of the browser, of any user, and no others', async () => {
  const [mine, other] = [await staff(), await staff()];
  const [former, operators, elsewhere] = [await begin(mine), await begin(other), await begin(mine)];
  const replaces = [former.token, operators.token, '', 'garbage', 'A'.repeat(43)];
  const { token } = await inTransaction(database.db, (trx) =>
    createSession(
      trx,
      { ...visitor(database.db, start), replaces },
      { user_id: mine, account_id: null, method: 'password' },
    ),
  );
  expect([await find(former.token, start), await find(operators.token, start)]).toEqual([null, null]);
  expect(await find(elsewhere.token, start)).not.toBe(null);
  expect(await find(token, start)).not.toBe(null);
  const log = await rowsWhere(database.db, 'audit_log', { action: 'session.end' });
  const ended = log.filter(({ user_id }) => user_id === mine || user_id === other);
  expect(ended.map(({ details }) => JSON.parse(details))).toEqual([{ replaced: true }, { replaced: true }]);
});

test('the reason for the end of a session is shown for as long as the session would have lasted', async () => {
  const id = await insertAccountRecord(database.db, { username: fresh('tenant'), node_id });
  const { user_id } = await rowWhere(database.db, 'accounts', { id });
  const { token } = await begin(user_id);
  const why = (now: Date) => tellSessionEnd(database.db, { token, now });
  expect(await why(after(121))).toContain('not used for two hours');
  const becomes = (state: 'active' | 'suspended' | 'terminating') =>
    updateRows(database.db, 'accounts', { id }, { state });
  await inTransaction(database.db, (trx) => expireSessionsOfUser(trx, user_id, after(1)));
  await becomes('suspended');
  expect(await why(after(1))).toContain('this account is suspended');
  expect(await sweepSessions(database.db, { now: after(720), limit: 1_000 })).toBe(0);
  await becomes('active');
  expect(await find(token, after(1)), 'it does not come back').toBe(null);
  expect(await why(after(1))).toBe('Your session has ended. Sign in again.');
  await becomes('terminating');
  expect(await why(after(1))).toContain('being removed');
  expect(await sweepSessions(database.db, { now: after(721), limit: 1_000 })).toBeGreaterThan(0);
  expect(await why(after(721))).toBe('Your session has ended. Sign in again.');
});

test('a user sees and ends its own sessions only', async () => {
  const [mine, other] = [await staff(), await staff()];
  await begin(mine, start, 'First');
  await begin(mine, start, `${'x'.repeat(300)}`);
  const foreign = await begin(other);
  const [first, second] = await rowsOf(mine);
  const ctx = signedIn(database.db, mine, { sessionId: first?.id ?? 0, at: start });
  const listed = await listSessions(ctx);
  expect(listed.map(({ id, user_agent, is_current }) => [id, user_agent, is_current])).toEqual([
    [second?.id, 'x'.repeat(255), false],
    [first?.id, 'First', true],
  ]);
  expect(listed[0]).not.toHaveProperty('token_hash');
  const [foreignRow] = await rowsOf(other);
  await expectRefusal(endSession(ctx, { session_id: foreignRow?.id ?? 0 }), 'not_found');
  expect(await find(foreign.token, start)).not.toBe(null);
  await endSession(ctx, { session_id: second?.id ?? 0 });
  await expectRefusal(endSession(ctx, { session_id: second?.id ?? 0 }), 'not_found');
  expect((await listSessions(ctx)).map(({ id }) => id)).toEqual([first?.id]);
});

test('ended and idle sessions are not listed', async () => {
  const user = await staff();
  await begin(user);
  const at = (when: Date) => listSessions(signedIn(database.db, user, { at: when }));
  expect(await at(after(119))).toHaveLength(1);
  expect(await at(after(120))).toHaveLength(0);
});

test('all sessions end together, except the current one if it shall stay', async () => {
  const [user, other] = [await staff(), await staff()];
  const [first, second, third] = [await begin(user), await begin(user), await begin(user)];
  const foreign = await begin(other);
  const sessionId = (await rowsOf(user))[1]?.id ?? 0;
  const ctx = signedIn(database.db, user, { sessionId, at: start });
  expect(await endAllSessions(ctx, { spare_current: true })).toBe(2);
  expect(await find(second.token, start)).not.toBe(null);
  expect([await find(first.token, start), await find(third.token, start)]).toEqual([null, null]);
  expect(await endAllSessions(ctx, { spare_current: false })).toBe(1);
  expect(await find(second.token, start)).toBe(null);
  expect(await find(foreign.token, start)).not.toBe(null);
});

test('a sweep deletes expired sessions only, a hundred at a time', async () => {
  await database.db.deleteFrom('sessions').execute();
  const user = await staff();
  await Promise.all(Array.from({ length: 150 }, () => begin(user, after(-721))));
  const { token } = await begin(user);
  const sweep = () => deleteExpiredSessions(database.db, { endedBefore: start, limit: 100 });
  const swept = [...(await Promise.all([sweep(), sweep()])), await sweep()];
  expect(Math.max(...swept)).toBe(100);
  expect(swept.reduce((sum, count) => sum + count)).toBe(150);
  expect(await rowsOf(user)).toHaveLength(1);
  expect(await sweep()).toBe(0);
  expect(await find(token, start)).not.toBe(null);
});

import { inTransaction, lockAccount, setPasswordHash } from '@innkeeper/db';
import {
  beginTotp,
  confirmTotp,
  createReseller,
  disableTotp,
  type EndUserContext,
  findSecondFactorState,
  findSession,
  finishSignIn,
  getProfile,
  isProven,
  listSignInFailures,
  makeKnownBrowser,
  type OperatorContext,
  proveSession,
  renewRecoveryCodes,
  resetSecondFactor,
  setAccountPassword,
  setOwnAccountPassword,
  setOwnPassword,
  signIn,
  suspendAccount,
  sweepSignInFailures,
  terminateAccount,
  type UserContext,
  unlockSecondFactor,
  unsuspendAccount,
} from '@innkeeper/services';
import { Secret, TOTP } from 'otpauth';
import { beforeAll, describe, expect, test } from 'vitest';
import { hashPanelPassword } from '../../src/passwords/panel-password.ts';
import {
  actor,
  addOnlineNode,
  addPackage,
  addReseller,
  auditOf,
  auditOfTarget,
  open,
  ownLimits,
  rowOf,
  specOf,
} from './fixtures.ts';
import { customer, signedIn, visitor } from './panel-users.ts';
import {
  contextOf,
  fresh,
  ownDatabase,
  rowsWhere,
  rowWhere,
  untilItWaitsForALock,
  withRealHashes,
} from './records.ts';
import { expectRefusal, failedPrecondition, forbidden, invalid, refusalOf } from './refusals.ts';

const database = ownDatabase();
beforeAll(async () => {
  await addOnlineNode(database.db);
  await addPackage(database.db, { is_internal: true });
});

const password = 'correct horse';
const wrong = invalid({ username: 'These credentials do not match our records.' });
const wrongCode = invalid({ code: 'The provided two factor authentication code was invalid.' });
const wrongPassword = invalid({ current_password: 'The current password is wrong.' });
const suspended = forbidden('This account is suspended.');
const tenant = async (ctx: OperatorContext = actor(database.db)) => (await open(ctx, ownLimits)).view;
/** Returns the user and the account of a session. */
const find = (session: { token: string } | undefined) =>
  findSession(database.db, { token: session?.token ?? '', now: new Date() });
const sessionsOf = (user_id: number) => rowsWhere(database.db, 'sessions', { user_id });
const userIdOf = async (accountId: number) => (await rowOf(database.db, accountId)).user_id;
const finish = (challenge: string, code: string, at?: Date) =>
  finishSignIn(visitor(database.db, at), { challenge, code });
const enter = (username: string, typed = password) =>
  signIn(visitor(database.db), { username, password: typed });

/** Creates a reseller: any panel user can have a second factor. */
async function staff(ctx = contextOf(database.db)): Promise<{ id: number; username: string }> {
  const username = fresh('staff');
  return await createReseller(ctx, { username, email: `${username}@example.com`, password });
}

const codeAt = (secret: string, at: Date) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: at.getTime() });
const later = (seconds: number) => new Date(Date.now() + seconds * 1_000);

/** Sets TOTP up with the code of an earlier step, so that every code from now on is fresh. */
async function withTotp(userId: number): Promise<{ secret: string; recovery_codes: string[] }> {
  const earlier = later(-120);
  const ctx = signedIn(database.db, userId, { at: earlier });
  const { secret, set_up } = await beginTotp(ctx);
  return { secret, ...(await confirmTotp(ctx, { set_up, code: codeAt(secret, earlier) })) };
}

describe('a password', () => {
  test('signs in an end user and a reseller, with the username in any case', async () => {
    const account = await tenant();
    const { id, username } = await staff();
    for (const [name, expected] of [
      [
        ` ${account.username.toUpperCase()} `,
        { user: { username: account.username }, account_id: account.id },
      ],
      [username, { user: { id, role: 'reseller' }, account_id: null }],
    ] as const) {
      const { session } = await enter(name);
      const identity = await find(session);
      expect(identity).toMatchObject({ ...expected, session: { method: 'password' } });
    }
  });

  test('that is wrong and an unknown username get the same answer', async () => {
    const account = await tenant();
    for (const [name, typed] of [
      [account.username, 'correct hors'],
      [account.username, ` ${password}`],
      [account.username, ''],
      [account.username, 'x'.repeat(100_000)],
      ['nobody-has-it', password],
      ['', ''],
      ["' or 1=1 --", password],
      ['x'.repeat(10_000), password],
    ] as const)
      await expectRefusal(enter(name, typed), wrong, name.slice(0, 20));
  });

  test('is compared with a hash for an unknown username too, at the same cost', async () => {
    const account = await tenant(withRealHashes(actor(database.db)));
    const cost = async (name: string) => {
      const before = process.cpuUsage();
      await refusalOf(enter(name, 'wrong horse'));
      return process.cpuUsage(before).user;
    };
    await cost(account.username);
    const least = async (name: string) => Math.min(await cost(name), await cost(name), await cost(name));
    const [known, unknown] = [await least(account.username), await least('nobody-has-it')];
    expect(unknown).toBeGreaterThan(known / 2);
  });

  test('of an inactive account is answered with the account’s state, only if it is correct', async () => {
    const ctx = actor(database.db);
    const account = await tenant();
    await suspendAccount(ctx, { account_id: account.id });
    await expectRefusal(enter(account.username), suspended);
    await expectRefusal(enter(account.username, 'wrong horse'), wrong);
    await unsuspendAccount(ctx, { account_id: account.id });
    expect((await enter(account.username)).session).toBeDefined();
    await terminateAccount(ctx, { account_id: account.id });
    await expectRefusal(enter(account.username), forbidden('This account is being terminated.'));
  });

  test('that changes during the sign-in is wrong', async () => {
    const account = await tenant();
    const user_id = await userIdOf(account.id);
    const hash = await hashPanelPassword('another horse');
    const locked = Promise.withResolvers<void>();
    const held = Promise.withResolvers<void>();
    const change = inTransaction(database.db, async (trx) => {
      await lockAccount(trx, 'all', account.id);
      locked.resolve();
      await held.promise;
      await setPasswordHash(trx, user_id, hash, new Date());
    });
    await locked.promise;
    const entered = refusalOf(enter(account.username));
    await untilItWaitsForALock(database.db, entered);
    held.resolve();
    await change;
    expect(await entered).toMatchObject(wrong);
    expect((await enter(account.username, 'another horse')).session).toBeDefined();
  });

  test('is counted by address and by name before it is compared, and a refusal ends the sign-in', async () => {
    const someone = visitor(database.db);
    await refusalOf(signIn(someone, { username: 'Nobody-Has-It', password }));
    await refusalOf(signIn(someone, { username: 'no name', password }));
    expect(someone.attempts).toEqual([
      ['sign-in-address', { address: '203.0.113.9' }],
      ['sign-in-network', { name: 'nobody-has-it', address: '203.0.113.9' }],
      ['sign-in-name', { name: 'nobody-has-it' }],
      ['sign-in-address', { address: '203.0.113.9' }],
    ]);
    const account = await tenant();
    const tooMany = new Error('Too Many Attempts.');
    for (const limit of ['sign-in-address', 'sign-in-network', 'sign-in-name']) {
      const countAttempt = async (counted: string) => {
        if (counted === limit) throw tooMany;
      };
      const refused = signIn({ ...someone, countAttempt }, { username: account.username, password });
      expect(await refusalOf(refused)).toBe(tooMany);
    }
  });
});

describe('a second factor', () => {
  test('has no effect before a code confirms it', async () => {
    const { id, username } = await staff();
    const ctx = signedIn(database.db, id);
    const { secret, uri, set_up } = await beginTotp(ctx);
    expect(uri).toBe(
      `otpauth://totp/Innkeeper:${username}?issuer=Innkeeper&secret=${secret}&algorithm=SHA1&digits=6&period=30`,
    );
    expect((await enter(username)).session).toBeDefined();
    for (const code of ['', 'x', '０００００００', codeAt(secret, later(-120))])
      await expectRefusal(confirmTotp(ctx, { set_up, code }), wrongCode, code);
    expect(await beginTotp(ctx, { kept: set_up })).toEqual({ secret, uri, set_up });
    const code = codeAt(secret, new Date());
    expect((await confirmTotp(ctx, { set_up, code })).recovery_codes).toHaveLength(10);
    expect((await enter(username)).challenge).toBeDefined();
    await expectRefusal(beginTotp(ctx), 'conflict');
    await expectRefusal(confirmTotp(ctx, { set_up, code }), 'conflict');
    const { challenge = '' } = await enter(username);
    const replay = finish(challenge, code);
    await expectRefusal(replay, wrongCode, 'the code that confirmed is used');
  });

  test('is confirmed with the secret that the same session was shown, within 15 minutes', async () => {
    const [one, other] = [await staff(), await staff()];
    const now = new Date();
    const ctx = signedIn(database.db, one.id, { sessionId: 1, at: now });
    const [first, second] = [await beginTotp(ctx), await beginTotp(ctx)];
    const code = codeAt(first.secret, now);
    const outOfDate = invalid({ code: 'This set-up is out of date. Scan the code that is shown now.' });
    for (const stranger of [
      signedIn(database.db, one.id, { sessionId: 2, at: now }),
      signedIn(database.db, other.id, { sessionId: 1, at: now }),
      signedIn(database.db, one.id, { sessionId: 1, at: new Date(now.getTime() + 15 * 60_000) }),
    ]) {
      const taken = confirmTotp(stranger, { set_up: first.set_up, code });
      await expectRefusal(taken, outOfDate);
      const { secret } = await beginTotp(stranger, { kept: first.set_up });
      expect(secret).not.toBe(first.secret);
    }
    for (const garbage of ['', 'x', '.', `${first.set_up}x`, first.secret])
      await expectRefusal(confirmTotp(ctx, { set_up: garbage, code }), outOfDate);
    const mixed = confirmTotp(ctx, { set_up: second.set_up, code });
    await expectRefusal(mixed, wrongCode);
    expect((await confirmTotp(ctx, { set_up: first.set_up, code })).recovery_codes).toHaveLength(10);
  });

  test('and its recovery codes are not stored in plain text', async () => {
    const { id } = await staff();
    const { secret, recovery_codes } = await withTotp(id);
    const rows = JSON.stringify([
      await rowsWhere(database.db, 'users', { id }),
      await rowsWhere(database.db, 'recovery_codes', { user_id: id }),
      await rowsWhere(database.db, 'audit_log', { user_id: id }),
    ]);
    for (const text of [secret, ...recovery_codes, ...recovery_codes.map((code) => code.replaceAll('-', ''))])
      expect(rows).not.toContain(text);
  });

  test('is asked for after the password, and its code signs in', async () => {
    const account = await tenant();
    const user_id = await userIdOf(account.id);
    const { secret } = await withTotp(user_id);
    const { challenge = '', session } = await enter(account.username);
    expect(session).toBe(undefined);
    const someone = visitor(database.db);
    const finished = await finishSignIn(someone, { challenge, code: ` ${codeAt(secret, new Date())} ` });
    expect(someone.attempts).toEqual([
      ['sign-in-address', { address: '203.0.113.9' }],
      ['second-factor', { name: String(user_id) }],
    ]);
    expect(await find(finished.session)).toMatchObject({
      account_id: account.id,
      user: { id: user_id },
    });
  });

  test('takes no code of the used step or an earlier one', async () => {
    const { id } = await staff();
    const { secret } = await withTotp(id);
    const ctx = signedIn(database.db, id);
    const spend = (seconds: number) =>
      refusalOf(renewRecoveryCodes(ctx, { code: codeAt(secret, later(seconds)) }));
    const now = new Date(Math.floor(Date.now() / 30_000) * 30_000 + 15_000);
    const at = signedIn(database.db, id, { at: now });
    const code = (steps: number) => codeAt(secret, new Date(now.getTime() + steps * 30_000));
    expect(await refusalOf(renewRecoveryCodes(at, { code: code(0) }))).toHaveProperty('resolved');
    for (const used of [code(0), code(-1)])
      await expectRefusal(renewRecoveryCodes(at, { code: used }), wrongCode);
    expect(await refusalOf(renewRecoveryCodes(at, { code: code(1) }))).toHaveProperty('resolved');
    await expectRefusal(renewRecoveryCodes(at, { code: code(2) }), wrongCode);
    expect(await spend(-90)).toMatchObject(wrongCode);
  });

  test('is disabled with a code, together with its recovery codes', async () => {
    const { id, username } = await staff();
    const { secret, recovery_codes } = await withTotp(id);
    const ctx = signedIn(database.db, id);
    await expectRefusal(disableTotp(ctx, { code: '000000' }), wrongCode);
    await disableTotp(ctx, { code: codeAt(secret, new Date()) });
    expect((await enter(username)).session).toBeDefined();
    const [code = ''] = recovery_codes;
    await expectRefusal(renewRecoveryCodes(ctx, { code }), wrongCode);
    const again = await withTotp(id);
    expect(again.secret).not.toBe(secret);
    await expectRefusal(renewRecoveryCodes(ctx, { code }), wrongCode);
  });

  test('gets new recovery codes with a code, and the old ones become invalid', async () => {
    const { id } = await staff();
    const { secret, recovery_codes } = await withTotp(id);
    const ctx = signedIn(database.db, id);
    expect((await getProfile(ctx)).second_factor).toMatchObject({ recovery_codes_left: 10 });
    const [first = '', second = ''] = recovery_codes;
    const renewed = await renewRecoveryCodes(ctx, { code: first });
    expect(new Set([...renewed.recovery_codes, ...recovery_codes]).size).toBe(20);
    for (const old of [first, second]) await expectRefusal(disableTotp(ctx, { code: old }), wrongCode);
    await expectRefusal(renewRecoveryCodes(ctx, { code: '000000' }), wrongCode);
    const [ofRecovery, ofTotp] = [
      ['recovery-code', { name: String(id), address: '203.0.113.9' }],
      ['second-factor', { name: String(id) }],
    ];
    expect(ctx.attempts).toEqual([ofRecovery, ofRecovery, ofRecovery, ofTotp]);
    await disableTotp(ctx, { code: codeAt(secret, new Date()) });
    expect((await getProfile(ctx)).second_factor).toBe(null);
  });

  test('is reset by an admin, who thereby signs the user out', async () => {
    const account = await tenant();
    const user_id = await userIdOf(account.id);
    const { recovery_codes } = await withTotp(user_id);
    const { challenge = '' } = await enter(account.username);
    const [code = ''] = recovery_codes;
    const { session } = await finish(challenge, code);
    const ctx = contextOf(database.db);
    const reset = () => refusalOf(resetSecondFactor(ctx, { username: ` ${account.username.toUpperCase()}` }));
    expect(await reset()).toEqual({
      resolved: { id: user_id, username: account.username, sessions_ended: 1 },
    });
    expect(await find(session)).toBe(null);
    expect((await enter(account.username)).session).toBeDefined();
    expect(await reset()).toMatchObject({ code: 'precondition_failed' });
    await expectRefusal(resetSecondFactor(ctx, { username: 'nobody-has-it' }), 'not_found');
    const row = await rowWhere(database.db, 'audit_log', { action: 'totp.reset' });
    expect(row).toMatchObject({ target: `user:${user_id}`, account_id: account.id });
  });

  test('is seen and reset by a reseller for the end users of its own accounts only', async () => {
    const [mine, stranger] = [await addReseller(database.db), await addReseller(database.db)];
    const package_id = await addPackage(database.db, { owner: mine.username });
    const { username, id } = (await open(mine, { package_id })).view;
    await withTotp((await rowOf(database.db, id)).user_id);
    const colleague = await staff();
    await withTotp(colleague.id);
    const notTheirs = [
      [stranger, username],
      [mine, colleague.username],
      [mine, (await tenant()).username],
    ] as const;
    for (const [ctx, name] of notTheirs) {
      expect(await findSecondFactorState(ctx, { username: name })).toBe(null);
      await expectRefusal(resetSecondFactor(ctx, { username: name }), {
        code: 'not_found',
        message: `There is no user "${name}".`,
      });
    }
    expect((await enter(username)).challenge).toBeDefined();
    expect(await findSecondFactorState(mine, { username })).toEqual({
      since: expect.any(Date),
      locked_at: null,
    });
    await resetSecondFactor(mine, { username });
    expect(await findSecondFactorState(mine, { username })).toBe(null);
    expect((await enter(username)).session).toBeDefined();
    expect(await auditOf(database.db, id)).toContain('totp.reset');
  });

  test('cannot be reset by its own user', async () => {
    const { id, username } = await staff();
    await withTotp(id);
    const itself = contextOf(database.db, { userId: id });
    await expectRefusal(resetSecondFactor(itself, { username }), 'forbidden');
    expect((await enter(username)).challenge).toBeDefined();
  });

  test('of another user is refused', async () => {
    const [one, other] = [await staff(), await staff()];
    const [, theirs] = [await withTotp(one.id), await withTotp(other.id)];
    const { challenge = '' } = await enter(one.username);
    for (const code of [codeAt(theirs.secret, new Date()), theirs.recovery_codes[0] ?? ''])
      await expectRefusal(finish(challenge, code), wrongCode);
  });
});

describe('wrong codes', () => {
  const locked = {
    code: 'precondition_failed',
    message:
      'Too many wrong codes were given. Use a recovery code, or ask an administrator to unlock the second factor.',
  };
  const guess = async (challenge: string, code = '000000', more: object = {}) =>
    await refusalOf(finishSignIn({ ...visitor(database.db), ...more }, { challenge, code }));
  const wrongCodes = async (userId: number, period: 'hour' | 'day', hits: number) =>
    await database.db
      .insertInto('rate_limits')
      .values({ bucket: `wrong-codes-${period}:${userId}`, hits, resets_at: Date.now() + 3_000_000 })
      .execute();

  test('are limited to 20 an hour; a recovery code still works, and resets the count', async () => {
    const { id, username } = await staff();
    const { secret, recovery_codes } = await withTotp(id);
    const { challenge = '' } = await enter(username);
    for (let i = 0; i < 20; i += 1) expect(await guess(challenge)).toMatchObject(wrongCode);
    for (const code of ['000000', codeAt(secret, new Date())])
      expect(await guess(challenge, code)).toMatchObject(
        failedPrecondition(
          expect.stringMatching(/^Too many wrong codes were given\. .* try again in \d\d minutes\.$/),
        ),
      );
    expect(await guess(challenge, recovery_codes[0])).toHaveProperty('resolved');
    expect(await guess(challenge)).toMatchObject(wrongCode);
    expect(await guess(challenge, codeAt(secret, new Date()))).toHaveProperty('resolved');
  });

  test('lock the second factor after 50 a day, until a recovery code is given; the profile shows the lock', async () => {
    const { id, username } = await staff();
    const { secret, recovery_codes } = await withTotp(id);
    await wrongCodes(id, 'day', 49);
    const { challenge = '' } = await enter(username);
    expect(await guess(challenge)).toMatchObject(wrongCode);
    expect(await guess(challenge, codeAt(secret, new Date()))).toMatchObject(locked);
    await database.db.deleteFrom('rate_limits').where('bucket', 'like', `wrong-codes-%:${id}`).execute();
    expect(await guess(challenge, codeAt(secret, new Date())), 'a day later as well').toMatchObject(locked);
    const ctx = signedIn(database.db, id);
    await expectRefusal(disableTotp(ctx, { code: codeAt(secret, new Date()) }), locked);
    expect((await getProfile(ctx)).second_factor?.locked_at).toEqual(expect.any(Date));
    expect(await auditOfTarget(database.db, `user:${id}`)).toContain('totp.lock');
    expect(await guess(challenge, recovery_codes[0])).toHaveProperty('resolved');
    expect((await getProfile(ctx)).second_factor?.locked_at).toBe(null);
    expect(await guess(challenge, codeAt(secret, new Date()))).toHaveProperty('resolved');
  });

  test('that locked it are reset by a manager of the user, not by the user', async () => {
    const { id, username } = await staff();
    const { secret } = await withTotp(id);
    const ctx = contextOf(database.db);
    const stranger = await addReseller(database.db);
    await expectRefusal(unlockSecondFactor(ctx, { username }), 'precondition_failed');
    await wrongCodes(id, 'day', 49);
    const { challenge = '' } = await enter(username);
    await guess(challenge);
    expect((await findSecondFactorState(ctx, { username }))?.locked_at).toEqual(expect.any(Date));
    await expectRefusal(unlockSecondFactor(stranger, { username }), 'not_found');
    const itself = contextOf(database.db, { userId: id });
    await expectRefusal(unlockSecondFactor(itself, { username }), 'forbidden');
    expect(await guess(challenge, codeAt(secret, new Date()))).toMatchObject(locked);
    expect(await unlockSecondFactor(ctx, { username })).toEqual({ id, username });
    expect(await guess(challenge, codeAt(secret, new Date()))).toHaveProperty('resolved');
  });

  test('of others do not lock out a browser that the user has signed in with', async () => {
    const { id, username } = await staff();
    const { secret } = await withTotp(id);
    await wrongCodes(id, 'day', 49);
    const { challenge = '' } = await enter(username);
    await guess(challenge);
    const code = codeAt(secret, new Date());
    const known = makeKnownBrowser(visitor(database.db), username).value;
    const others = makeKnownBrowser(visitor(database.db), 'somebody-else').value;
    const old = makeKnownBrowser(visitor(database.db, later(-91 * 86_400)), username).value;
    for (const knownBrowser of [others, old, `${known}0`, known.replace(/^./, '!'), '', 'x.1.2'])
      expect(await guess(challenge, code, { knownBrowser }), knownBrowser).toMatchObject(locked);
    expect(await guess(challenge, '000000', { knownBrowser: known })).toMatchObject(wrongCode);
    expect(await guess(challenge, code, { knownBrowser: known })).toHaveProperty('resolved');
  });
});

describe('failed attempts', () => {
  test('are shown to their user only, by address and kind', async () => {
    const [{ id, username }, other] = [await staff(), await staff()];
    const at = later(-60);
    const from = (address: string) => ({ ...visitor(database.db, at), address });
    const tryFrom = async (address: string, typed: string) =>
      await refusalOf(signIn(from(address), { username, password: typed }));
    await tryFrom('198.51.100.1', 'wrong horse');
    await tryFrom('198.51.100.1', 'wrong horse');
    await tryFrom('2001:db8::7', 'wrong horse');
    await withTotp(id);
    const { challenge = '' } = await enter(username);
    await refusalOf(finish(challenge, '000000'));
    const ctx = signedIn(database.db, id);
    const failures = await listSignInFailures(ctx, { username });
    expect(failures[0]).toMatchObject({ kind: 'code', address: '203.0.113.9', tries: 1 });
    expect(new Set(failures.map(({ kind, address, tries }) => `${kind} ${address} ${tries}`))).toEqual(
      new Set(['code 203.0.113.9 1', 'password 198.51.100.1 2', 'password 2001:db8::7 1']),
    );
    expect(JSON.stringify(failures)).not.toContain('horse');
    expect(await listSignInFailures(signedIn(database.db, other.id), other)).toEqual([]);
  });

  test('are stored for unknown usernames too, and deleted by the sweep', async () => {
    const { username } = await staff();
    for (const name of [username, 'nobody-has-this'])
      await refusalOf(signIn(visitor(database.db), { username: name, password: 'wrong horse' }));
    const noted = async () => {
      const rows = await database.db
        .selectFrom('sign_in_failures')
        .select('username')
        .where('username', 'in', [username, 'nobody-has-this'])
        .execute();
      return rows.map((row) => row.username).sort();
    };
    expect(await noted()).toEqual(['nobody-has-this', username].sort());
    await sweepSignInFailures(database.db, { now: later(2 * 3_600), limit: 1_000 });
    expect(await noted()).toEqual([username]);
    await sweepSignInFailures(database.db, { now: later(31 * 86_400), limit: 1_000 });
    expect(await noted()).toEqual([]);
  });
});

describe('a proof in a session', () => {
  test('is the password, or a code if there is a second factor, and is valid for ten minutes', async () => {
    const { id, username } = await staff();
    const { session } = await enter(username);
    const shown = () => find(session);
    const identity = await shown();
    if (identity === null) throw new Error('There is no session.');
    const minutes = (count: number) => later(count * 60);
    expect([isProven(identity, minutes(9)), isProven(identity, minutes(11))]).toEqual([true, false]);
    await database.db.updateTable('sessions').set({ proved_at: null }).where('user_id', '=', id).execute();
    const prove = (typed: { current_password?: string; code?: string }) =>
      refusalOf(
        proveSession(signedIn(database.db, id, { sessionId: identity.session.id }), {
          current_password: '',
          code: '',
          ...typed,
        }),
      );
    expect(await prove({ current_password: 'wrong horse' })).toMatchObject(wrongPassword);
    expect((await shown())?.session.proved_at).toBe(null);
    await prove({ current_password: password });
    expect(isProven((await shown()) ?? identity, minutes(9))).toBe(true);

    const { secret } = await withTotp(id);
    await database.db.updateTable('sessions').set({ proved_at: null }).where('user_id', '=', id).execute();
    expect(await prove({ current_password: password })).toMatchObject(wrongCode);
    expect((await shown())?.session.proved_at).toBe(null);
    await prove({ code: codeAt(secret, new Date()) });
    expect((await shown())?.session.proved_at).toEqual(expect.any(Date));
  });
});

describe('a new password of an admin or reseller', () => {
  const change = (ctx: UserContext, current_password: string, typed: string) =>
    refusalOf(setOwnPassword(ctx, { current_password, password: typed }));

  test('needs the current one, and signs out the other browsers', async () => {
    const { id, username } = await staff();
    const [here, elsewhere] = [(await enter(username)).session, (await enter(username)).session];
    const own = await find(here);
    const ctx = signedIn(database.db, id, { sessionId: own?.session.id ?? 0 });
    expect(await change(ctx, 'wrong horse', 'battery staple')).toMatchObject(wrongPassword);
    for (const bad of ['short', 'x'.repeat(256), 'two\nlines is bad'])
      expect(await change(ctx, password, bad)).toMatchObject(invalid({ password: expect.any(String) }));
    expect(ctx.attempts).toEqual([['own-password', { name: username }]]);
    expect(await change(ctx, password, 'battery staple')).toEqual({ resolved: undefined });
    expect(await find(here)).not.toBe(null);
    expect(await find(elsewhere)).toBe(null);
    await expectRefusal(enter(username), wrong);
    expect((await enter(username, 'battery staple')).session).toBeDefined();
    const rows = await rowsWhere(database.db, 'audit_log', { user_id: id });
    expect(rows.map(({ action }) => action)).toContain('user.set-password');
    expect(JSON.stringify(rows)).not.toMatch(/battery staple|argon2/);
  });

  test('leaves no session of a concurrent sign-in with the old one', async () => {
    const { id, username } = await staff(withRealHashes(contextOf(database.db)));
    const ctx = signedIn(database.db, id);
    const [entered] = await Promise.all([
      Promise.all(Array.from({ length: 8 }, () => refusalOf(enter(username)))),
      setOwnPassword(ctx, { current_password: password, password: 'battery staple' }),
    ]);
    const sessions = await sessionsOf(id);
    expect(entered).toHaveLength(8);
    expect(sessions).toEqual([]);
  });

  test('is refused to an end user, whose password is the account’s', async () => {
    const { user_id } = await rowOf(database.db, (await tenant()).id);
    const refused = change(signedIn(database.db, user_id), password, 'battery staple');
    expect(await refused).toMatchObject({ code: 'forbidden' });
  });
});

describe('a new password of a customer', () => {
  const change = (ctx: EndUserContext, current_password: string, typed: string) =>
    refusalOf(setOwnAccountPassword(ctx, { current_password, password: typed }));

  test('needs the current one, changes the Linux password too, and signs out the other browsers', async () => {
    const { id, username } = await tenant();
    const [here, elsewhere] = [(await enter(username)).session, (await enter(username)).session];
    const ctx = await customer(database.db, id, { sessionId: (await find(here))?.session.id ?? 0 });
    const before = await specOf(database.db, id);
    expect(await change(ctx, 'wrong horse', 'battery staple')).toMatchObject(wrongPassword);
    expect(await change(ctx, password, 'ü'.repeat(256))).toMatchObject(
      invalid({ password: 'The password field must not be greater than 511 bytes.' }),
    );
    const tried = ['own-password', { name: username }];
    expect(ctx.attempts).toEqual([tried, tried]);
    expect([ctx.wakes, await specOf(database.db, id)]).toEqual([[], before]);

    expect(await change(ctx, password, 'battery staple')).toMatchObject({ resolved: { accountId: id } });
    expect([await find(here), await find(elsewhere)]).toEqual([expect.anything(), null]);
    await expectRefusal(enter(username), wrong);
    expect((await enter(username, 'battery staple')).session).toBeDefined();
    const after = await specOf(database.db, id);
    expect(after?.password_hash).not.toBe(before?.password_hash);
    expect(ctx.wakes).toEqual([expect.objectContaining({ accountId: id, generation: after?.generation })]);
    const rows = await rowsWhere(database.db, 'audit_log', {
      account_id: id,
      action: 'account.set-password',
    });
    expect(rows).toMatchObject([{ user_id: ctx.actor.userId, address: '203.0.113.9' }]);
    expect(rows[0]?.details).toContain('"replaced":["password"]');
    expect(JSON.stringify(rows)).not.toMatch(/battery staple|argon2|\$6\$/);
  });

  test('is refused to an operator who is logged in as the customer, before the password is compared', async () => {
    const { id, username } = await tenant();
    const ctx = await customer(database.db, id, { sessionMethod: 'operator' });
    expect(await change(ctx, password, 'battery staple')).toMatchObject({ code: 'forbidden' });
    expect(ctx.attempts).toEqual([]);
    expect((await enter(username)).session).toBeDefined();
  });

  test('is refused while the account is suspended', async () => {
    const { id } = await tenant();
    const ctx = await customer(database.db, id);
    await suspendAccount(actor(database.db), { account_id: id });
    expect(await change(ctx, password, 'battery staple')).toMatchObject(suspended);
    expect(await auditOf(database.db, id)).not.toContain('account.set-password');
  });

  test('is refused if an operator sets one at the same time', async () => {
    const { id, username } = await tenant();
    const ctx = await customer(database.db, id);
    const locked = Promise.withResolvers<void>();
    const held = Promise.withResolvers<void>();
    const operators = inTransaction(database.db, async (trx) => {
      await lockAccount(trx, 'all', id);
      locked.resolve();
      await held.promise;
      const { user_id } = await rowOf(trx, id);
      await setPasswordHash(trx, user_id, await hashPanelPassword('set by an operator'), new Date());
    });
    await locked.promise;
    const own = change(ctx, password, 'battery staple');
    await untilItWaitsForALock(database.db, own);
    held.resolve();
    await operators;
    expect(await own).toMatchObject(invalid({ current_password: expect.any(String) }));
    expect((await enter(username, 'set by an operator')).session).toBeDefined();
  });

  test('leaves no session of a concurrent sign-in with the old one', async () => {
    const { id, username } = await tenant(withRealHashes(actor(database.db)));
    const ctx = await customer(database.db, id);
    await Promise.all([
      Promise.all(Array.from({ length: 8 }, () => refusalOf(enter(username)))),
      setOwnAccountPassword(ctx, { current_password: password, password: 'battery staple' }),
    ]);
    const sessions = await sessionsOf(ctx.actor.userId);
    expect(sessions).toEqual([]);
  });
});

describe('a challenge', () => {
  test('that was changed, belongs to another user or has expired is refused', async () => {
    const [one, other] = [await staff(), await staff()];
    const { secret } = await withTotp(one.id);
    await withTotp(other.id);
    const { challenge = '' } = await enter(one.username);
    const [id, expires, signature] = challenge.split('.');
    const code = codeAt(secret, later(300));
    const bring = (brought: string, at?: Date) =>
      refusalOf(finishSignIn(visitor(database.db, at), { challenge: brought, code }));
    for (const bad of [
      '',
      `${other.id}.${expires}.${signature}`,
      `${id}.${Number(expires) + 1}.${signature}`,
      `${id}.${expires}.${'0'.repeat(64)}`,
      `${id}.${expires}`,
      `424242.${expires}.${signature}`,
    ])
      expect(await bring(bad), bad).toMatchObject({ code: 'unauthenticated' });
    expect(await bring(challenge, later(301))).toMatchObject({ code: 'unauthenticated' });
    expect(await bring(challenge, later(299))).toHaveProperty('resolved.session');
  });

  test('is refused after a new password, and for a suspended account', async () => {
    const account = await tenant();
    const user_id = await userIdOf(account.id);
    const { secret } = await withTotp(user_id);
    const ctx = actor(database.db);
    const { challenge = '' } = await enter(account.username);
    await suspendAccount(ctx, { account_id: account.id });
    const finish = () =>
      refusalOf(finishSignIn(visitor(database.db), { challenge, code: codeAt(secret, new Date()) }));
    expect(await finish()).toMatchObject(suspended);
    await unsuspendAccount(ctx, { account_id: account.id });
    await setAccountPassword(ctx, { account_id: account.id, password: 'another horse' });
    expect(await finish()).toMatchObject({ code: 'unauthenticated' });
  });
});

test.each(['an authenticator', 'a recovery'])(
  'of 32 concurrent sign-ins with %s code exactly one succeeds',
  async (kind) => {
    const { id, username } = await staff();
    const { secret, recovery_codes } = await withTotp(id);
    const { challenge = '' } = await enter(username);
    const code = kind === 'an authenticator' ? codeAt(secret, new Date()) : (recovery_codes[3] ?? '');
    const results = await Promise.all(Array.from({ length: 32 }, () => refusalOf(finish(challenge, code))));
    const won = results.filter((result) => !(result instanceof Error));
    expect(won).toHaveLength(1);
    for (const lost of results.filter((result) => result instanceof Error))
      expect(lost).toMatchObject(wrongCode);
    const sessions = await sessionsOf(id);
    expect(sessions).toHaveLength(1);
  },
);

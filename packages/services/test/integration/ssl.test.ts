import { migrate } from '@innkeeper/db';
import type { AccountReport, CertificateStatus } from '@innkeeper/protocol';
import {
  createDomain,
  getDomain,
  installSsl,
  listAudit,
  removeDomain,
  suspendAccount,
  terminateAccount,
} from '@innkeeper/services';
import { sql } from 'kysely';
import { beforeEach, describe, expect, test } from 'vitest';
import { useDatabaseRig } from './database-rig.ts';
import { addReseller, reportNewest, rowOf, specOf } from './fixtures.ts';
import { fresh } from './records.ts';
import { expectRefusal, failedPrecondition, refusalOf } from './refusals.ts';

const rig = useDatabaseRig();
let accountId: number;
let domain_id: number;
const { admin, newAccount } = rig;
beforeEach(async () => {
  accountId = await newAccount();
  const domain_name = `${fresh('tls')}.example`;
  domain_id = (await createDomain(admin(), { hosting_account_id: accountId, domain_name })).view.id;
});

/** Sets the issue time of the served certificate to this many hours ago. */
const age = (hours: number) =>
  rig.db
    .updateTable('domains')
    .set({ ssl_issued_at: new Date(Date.now() - hours * 3_600_000) })
    .where('id', '=', domain_id)
    .execute();
const sslOf = async () => (await getDomain(admin(), { domain_id })).ssl;
const specDomain = async () => (await specOf(rig.db, accountId)).domains[0];
const none = { status: 'none', issuer: null, expires_at: null, error: null };
const serving = { issuer: 'An Authority', expires_at: new Date('2030-01-01T00:00:00Z') };

const certificate = (says: Partial<CertificateStatus> = {}): CertificateStatus => ({
  status: 'active',
  revision: 1,
  issuer: 'An Authority',
  expires_at: Date.parse('2030-01-01T00:00:00Z') / 1_000,
  error: '',
  ...says,
});
const report = (told: CertificateStatus | null, says: Partial<AccountReport> = {}) =>
  reportNewest(rig.db, accountId, {
    domains: [{ domain_id, status: 'active', reason: '', certificate: told }],
    ...says,
  });

describe('asking for a certificate', () => {
  test('sets the status pending and the next revision in the spec, is audited, and wakes the node', async () => {
    expect(await sslOf()).toEqual(none);
    const ctx = admin();
    const { view, generation } = await installSsl(ctx, { domain_id });
    expect(view.ssl).toEqual({ ...none, status: 'pending' });
    expect(ctx.wakes).toEqual([{ nodeId: expect.any(Number), accountId, generation }]);
    expect((await rowOf(rig.db, accountId)).generation).toBe(generation);
    expect(await specDomain()).toMatchObject({ certificate_revision: 1 });
    const [row] = (await listAudit(admin(), { account_id: accountId, limit: 1 })).items;
    expect(row).toMatchObject({
      action: 'domain.install-ssl',
      target: `domain:${domain_id}`,
      details: {
        before: { ssl_status: 'none', certificate_revision: 0 },
        after: { ssl_status: 'pending', certificate_revision: 1 },
      },
    });
  });

  test('again while it is pending changes nothing, also with 32 concurrent requests', async () => {
    const first = await installSsl(admin(), { domain_id });
    const again = await Promise.all(Array.from({ length: 32 }, () => installSsl(admin(), { domain_id })));
    for (const { view, generation } of again) {
      expect(view.ssl).toEqual(first.view.ssl);
      expect(generation).toBe(first.generation);
    }
    expect(await specDomain()).toMatchObject({ certificate_revision: 1 });
  });

  test('32 times at the same time asks for one certificate', async () => {
    await Promise.all(Array.from({ length: 32 }, () => installSsl(admin(), { domain_id })));
    expect(await specDomain()).toMatchObject({ certificate_revision: 1 });
  });

  test('is refused while the account is suspended or being terminated', async () => {
    const refused = (message: string) => ({ code: 'precondition_failed', message });
    await suspendAccount(admin(), { account_id: accountId });
    await expectRefusal(
      installSsl(admin(), { domain_id }),
      refused('This account is suspended: no certificate can be issued before it is active again.'),
    );
    await terminateAccount(admin(), { account_id: accountId });
    await expectRefusal(installSsl(admin(), { domain_id }), refused('This account is being terminated.'));
    expect(await sslOf()).toEqual(none);
  });

  test('is refused for a domain that is being removed', async () => {
    await removeDomain(admin(), { domain_id });
    await expectRefusal(
      installSsl(admin(), { domain_id }),
      failedPrecondition('This domain is being removed.'),
    );
  });

  test('for another reseller’s domain is not found, as for an unknown domain', async () => {
    const stranger = await addReseller(rig.db);
    for (const id of [domain_id, 9_999_999])
      await expectRefusal(installSsl(stranger, { domain_id: id }), 'not_found');
  });
});

test('after the migration, exactly the accounts whose specs had a contact address have a new generation', async () => {
  const others = await newAccount();
  const before = [await rowOf(rig.db, accountId), await rowOf(rig.db, others)];
  await sql`update domains set certificate_email = 'tls@example.com' where id = ${domain_id}`.execute(rig.db);
  for (let run = 0; run < 2; run += 1) {
    await sql`delete from schema_migrations where name >= '0017-no-certificate-email'`.execute(rig.db);
    expect(await migrate(rig.db)).toContain('0017-no-certificate-email');
  }
  expect((await rowOf(rig.db, accountId)).generation).toBe(before[0]!.generation + 1);
  expect((await rowOf(rig.db, others)).generation).toBe(before[1]!.generation);
});

describe('the budget of orders', () => {
  const fail = async (revision: number) =>
    await report(certificate({ status: 'failed', revision, issuer: '', expires_at: 0, error: 'NXDOMAIN' }));
  const refusal = (limit: number, whose: string) => ({
    code: 'quota_exceeded',
    message: `Certificate limit reached: ${limit} requests for ${whose} in 24 hours. Try again in 24 hours.`,
  });

  test('is not used for a valid certificate younger than a day, which stays', async () => {
    await installSsl(admin(), { domain_id });
    await report(certificate());
    const ctx = admin();
    const again = await installSsl(ctx, { domain_id });
    expect([again.view.ssl.status, ctx.wakes]).toEqual(['active', []]);
    expect(again.view.ssl).toEqual({ status: 'active', ...serving, error: null });
    const row = rig.db.selectFrom('domains').select('certificate_revision').where('id', '=', domain_id);
    expect(await row.executeTakeFirst()).toEqual({ certificate_revision: 1 });
    await age(23);
    expect((await installSsl(admin(), { domain_id })).view.ssl.status).toBe('active');
    await age(25);
    expect((await installSsl(admin(), { domain_id })).view.ssl.status).toBe('pending');
    expect(await specDomain()).toMatchObject({ certificate_revision: 2 });
  });

  test('of a domain is five a day; a refusal changes nothing, and the next day has five again', async () => {
    for (const revision of [1, 2, 3, 4, 5]) {
      await installSsl(admin(), { domain_id });
      await fail(revision);
    }
    const before = await rowOf(rig.db, accountId);
    for (let i = 0; i < 3; i += 1)
      await expectRefusal(installSsl(admin(), { domain_id }), refusal(5, 'this domain'));
    expect((await rowOf(rig.db, accountId)).generation).toBe(before.generation);
    const row = rig.db.selectFrom('domains').select('certificate_revision').where('id', '=', domain_id);
    expect(await row.executeTakeFirst()).toEqual({ certificate_revision: 5 });
    const other = { hosting_account_id: await newAccount(), domain_name: `${fresh('tls')}.example` };
    const { view } = await createDomain(admin(), other);
    expect((await installSsl(admin(), { domain_id: view.id })).view.ssl.status).toBe('pending');
    await rig.db.updateTable('rate_limits').set({ resets_at: 1 }).where('bucket', 'like', 'ssl-%').execute();
    expect((await installSsl(admin(), { domain_id })).view.ssl.status).toBe('pending');
  });

  test('of an account is twenty a day for all its domains', async () => {
    await rig.db.updateTable('accounts').set({ max_domains: 30 }).where('id', '=', accountId).execute();
    const ids = [domain_id];
    while (ids.length < 21) {
      const domain = { hosting_account_id: accountId, domain_name: `${fresh('tls')}.example` };
      ids.push((await createDomain(admin(), domain)).view.id);
    }
    for (const id of ids.slice(0, 20)) await installSsl(admin(), { domain_id: id });
    const refused = await refusalOf(installSsl(admin(), { domain_id: ids[20] ?? 0 }));
    expect(refused).toMatchObject(refusal(20, 'this account'));
  });
});

describe('the node’s report about a certificate', () => {
  test('is shown: issuer and expiry, or the authority’s error', async () => {
    await installSsl(admin(), { domain_id });
    await report(certificate({ status: 'failed', issuer: '', expires_at: 0, error: 'NXDOMAIN' }));
    expect(await sslOf()).toEqual({ ...none, status: 'failed', error: 'NXDOMAIN' });
    await installSsl(admin(), { domain_id });
    expect(await sslOf()).toEqual({ ...none, status: 'pending' });
    await report(certificate({ revision: 2 }));
    expect(await sslOf()).toEqual({ status: 'active', ...serving, error: null });
  });

  test('may come later than the generation, and with a progressing outcome', async () => {
    await installSsl(admin(), { domain_id });
    await report(certificate({ status: 'pending', issuer: '', expires_at: 0 }));
    expect(await sslOf()).toEqual({ ...none, status: 'pending' });
    await report(certificate(), { outcome: 'progressing' });
    expect(await sslOf()).toEqual({ status: 'active', ...serving, error: null });
  });

  test('keeps the serving certificate while another is pending, and when that one fails', async () => {
    await installSsl(admin(), { domain_id });
    await report(certificate());
    await age(25);
    await installSsl(admin(), { domain_id });
    expect(await sslOf()).toEqual({ status: 'pending', ...serving, error: null });
    await report(certificate({ status: 'failed', revision: 2, error: 'Rate limited.' }));
    expect(await sslOf()).toEqual({ status: 'failed', ...serving, error: 'Rate limited.' });
  });

  test('of an older revision leaves the newer one pending, and shows the serving certificate', async () => {
    await installSsl(admin(), { domain_id });
    const old = await rowOf(rig.db, accountId);
    await report(certificate({ status: 'failed', issuer: '', expires_at: 0, error: 'Old.' }));
    await installSsl(admin(), { domain_id });
    const late = { observed_generation: old.generation };
    await report(certificate({ status: 'failed', issuer: '', expires_at: 0, error: 'Older.' }), late);
    expect(await sslOf()).toEqual({ ...none, status: 'pending' });
    await report(certificate(), late);
    expect(await sslOf()).toEqual({ status: 'pending', ...serving, error: null });
  });

  test('is ignored for a revision that was not requested', async () => {
    await report(certificate());
    expect(await sslOf()).toEqual(none);
    await installSsl(admin(), { domain_id });
    await report(certificate({ revision: 7 }));
    expect(await sslOf()).toEqual({ ...none, status: 'pending' });
  });

  test('of a renewal shows the new expiry', async () => {
    await installSsl(admin(), { domain_id });
    await report(certificate());
    await report(certificate({ expires_at: Date.parse('2031-01-01T00:00:00Z') / 1_000 }));
    expect((await sslOf()).expires_at).toEqual(new Date('2031-01-01T00:00:00Z'));
  });

  test('is stored for each of 450 domains', async () => {
    const rows = Array.from({ length: 450 }, (_, i) => ({
      account_id: accountId,
      domain_name: `n${i}.${fresh('many')}.example`,
      reversed_name: 'x',
      is_primary: 0,
      state: 'active' as const,
      status: 'pending' as const,
      status_reason: null,
      certificate_revision: 1,
      ssl_status: 'pending' as const,
      created_at: new Date(),
      updated_at: new Date(),
    }));
    await rig.db.insertInto('domains').values(rows).execute();
    const ids = await rig.db
      .selectFrom('domains')
      .select('id')
      .where('account_id', '=', accountId)
      .where('certificate_revision', '=', 1)
      .execute();
    await reportNewest(rig.db, accountId, {
      domains: ids.map(({ id }) => ({
        domain_id: id,
        status: 'active',
        reason: '',
        certificate: certificate({ issuer: `Authority ${id}` }),
      })),
    });
    const stored = await rig.db
      .selectFrom('domains')
      .select(['id', 'ssl_issuer', 'ssl_expires_at', 'ssl_status'])
      .where(
        'id',
        'in',
        ids.map(({ id }) => id),
      )
      .execute();
    expect(stored).toHaveLength(450);
    for (const { id, ...ssl } of stored)
      expect(ssl).toEqual({
        ssl_issuer: `Authority ${id}`,
        ssl_expires_at: serving.expires_at,
        ssl_status: 'active',
      });
  });
});

import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { plainSite } from '@innkeeper/protocol';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { domainOf, nodeApp, specOf } from '../../test/specs.ts';
import { testSeal } from '../../test/test-seal.ts';
import { Ledger } from './ledger.ts';
import { LedgerSeal } from './ledger-seal.ts';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'ledger-'));
});

afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

test('a spec is on disk, readable by its owner alone, when accept resolves', async () => {
  const ledger = await Ledger.open(folder, testSeal);
  expect(await ledger.accept(specOf({ generation: 3 }))).toEqual({ kind: 'stored' });
  const file = path.join(folder, '1.json');
  expect(JSON.parse(await readFile(file, 'utf8')).spec.generation).toBe(3);
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  expect(await readdir(folder)).toEqual(['1.json']);
});

test('a restart loads the accepted specs', async () => {
  const spec = specOf({ generation: 3 });
  await (await Ledger.open(folder, testSeal)).accept(spec);
  const reopened = await Ledger.open(folder, testSeal);
  expect(reopened.size).toBe(1);
  expect(reopened.find(1)?.spec).toEqual(spec);
});

test('a newer generation replaces the spec, an older one is refused with its number', async () => {
  const ledger = await Ledger.open(folder, testSeal);
  await ledger.accept(specOf({ generation: 3 }));
  expect(await ledger.accept(specOf({ generation: 4, desired_state: 'suspended' }))).toEqual({
    kind: 'stored',
  });
  const refused = await ledger.accept(specOf({ generation: 3 }));
  expect(refused).toMatchObject({
    kind: 'refused',
    reason: expect.stringContaining('generation: 3 is older'),
  });
  expect((await Ledger.open(folder, testSeal)).find(1)?.spec.generation).toBe(4);
});

test('accepts a known generation with the same content and refuses it with other content', async () => {
  const ledger = await Ledger.open(folder, testSeal);
  const domains = [domainOf(1, 'a.example.com'), domainOf(2, 'b.example.com', { is_primary: false })];
  await ledger.accept(specOf({ domains }));
  expect(await ledger.accept(specOf({ domains: domains.toReversed() }))).toEqual({ kind: 'known' });
  expect(await ledger.accept(specOf({ domains: [] }))).toMatchObject({
    kind: 'refused',
    reason: expect.stringContaining('generation: 1 was received before'),
  });
});

test('an account keeps its uid and Linux user, and cannot take another’s', async () => {
  const ledger = await Ledger.open(folder, testSeal);
  await ledger.accept(specOf({}));
  const taken = [
    specOf({ generation: 2, uid: 20_009 }),
    specOf({ generation: 2, linux_user: 'other' }),
    specOf({ account_id: 2, linux_user: 'other' }),
    specOf({ account_id: 2, uid: 20_009 }),
  ];
  const refusals = await Promise.all(taken.map((spec) => ledger.accept(spec)));
  expect(refusals.map((refusal) => refusal.kind)).toEqual(taken.map(() => 'refused'));
  expect(await readdir(folder)).toEqual(['1.json']);
});

test('of two new accounts that concurrently request one uid, one gets it', async () => {
  const ledger = await Ledger.open(folder, testSeal);
  const both = await Promise.all([
    ledger.accept(specOf({ account_id: 1, linux_user: 'one' })),
    ledger.accept(specOf({ account_id: 2, linux_user: 'two' })),
  ]);
  expect(both.map((acceptance) => acceptance.kind).sort()).toEqual(['refused', 'stored']);
});

test('does not accept a spec that cannot be stored, and keeps its uid free', async () => {
  const ledger = await Ledger.open(folder, testSeal);
  await rm(folder, { recursive: true });
  await expect(ledger.accept(specOf({}))).rejects.toThrow('ENOENT');
  expect(ledger.find(1)).toBeUndefined();
  await mkdir(folder);
  expect(await ledger.accept(specOf({ account_id: 2 }))).toEqual({ kind: 'stored' });
});

test('removes unfinished writes of a crash and never reads them', async () => {
  await (await Ledger.open(folder, testSeal)).accept(specOf({ generation: 1 }));
  await writeFile(path.join(folder, '1.json.0123456789ab.tmp'), '{"version":1,"spec":{"generation":9');
  await writeFile(path.join(folder, '7.json.0123456789ab.tmp'), '');
  const ledger = await Ledger.open(folder, testSeal);
  expect(ledger.specs().map((spec) => [spec.account_id, spec.generation])).toEqual([[1, 1]]);
  expect(await readdir(folder)).toEqual(['1.json']);
});

test('quarantines an invalid entry and loads the rest', async () => {
  const ledger = await Ledger.open(folder, testSeal);
  for (const account_id of [1, 2, 3, 4])
    await ledger.accept(specOf({ account_id, uid: 20_000 + account_id, linux_user: `user${account_id}` }));
  const text = await readFile(path.join(folder, '2.json'), 'utf8');
  await writeFile(path.join(folder, '2.json'), text.slice(0, text.length / 2));
  await writeFile(path.join(folder, '3.json'), text);
  const fourth = await readFile(path.join(folder, '4.json'), 'utf8');
  await writeFile(path.join(folder, '4.json'), fourth.replace('20004', '1000'));
  const reopened = await Ledger.open(folder, testSeal);
  expect(reopened.specs().map((spec) => spec.account_id)).toEqual([1]);
  expect(reopened.quarantined.map((file) => file.reason).sort()).toEqual([
    'Not a valid entry: spec.uid.',
    "The entry belongs to account 2, which the file's name does not say.",
    'The file is not JSON.',
  ]);
  expect((await readdir(folder)).sort()).toEqual(['1.json', 'quarantine']);
  expect((await Ledger.open(folder, testSeal)).quarantined).toHaveLength(3);
});

test('forgets an account only if its newest spec is absent and of the reported generation', async () => {
  const ledger = await Ledger.open(folder, testSeal);
  await ledger.accept(specOf({ generation: 1 }));
  expect(await ledger.forget(1, 1)).toBe(false);
  await ledger.accept(specOf({ generation: 2, desired_state: 'absent' }));
  expect(await ledger.forget(1, 1)).toBe(false);
  expect(await readdir(folder)).toEqual(['1.json']);
  expect(await ledger.forget(1, 2)).toBe(true);
  expect(await readdir(folder)).toEqual([]);
  expect(await ledger.accept(specOf({ account_id: 2 }))).toEqual({ kind: 'stored' });
});

test('loses neither an accepted report nor a newer spec that arrives during it', async () => {
  const ledger = await Ledger.open(folder, testSeal);
  await ledger.accept(specOf({ generation: 1 }));
  const report = { observed_generation: 1, outcome: 'applied', digest: 'd' } as const;
  await Promise.all([
    ledger.recordAcceptedReport(1, report),
    ledger.accept(specOf({ generation: 2, desired_state: 'suspended' })),
  ]);
  const entry = (await Ledger.open(folder, testSeal)).find(1);
  expect(entry?.spec.generation).toBe(2);
  expect(entry?.accepted_report).toEqual(report);
});

test('an entry of an earlier release with contact addresses equals the spec without them', async () => {
  const spec = specOf({
    domains: [domainOf(1, 'a.example.com'), domainOf(2, 'b.example.com', { is_primary: false })],
  });
  await (await Ledger.open(folder, testSeal)).accept(spec);
  const file = path.join(folder, '1.json');
  const entry = JSON.parse(await readFile(file, 'utf8'));
  for (const each of entry.spec.domains) each.certificate_email = 'tls@example.com';
  await writeFile(file, JSON.stringify(entry));
  const reopened = await Ledger.open(folder, testSeal);
  expect(reopened.quarantined).toEqual([]);
  expect(await reopened.accept(spec)).toEqual({ kind: 'known' });
});

test.each<[string, (domain: { site?: object; alias_of?: unknown }) => void]>([
  [
    'settings of sites',
    (domain) => {
      delete domain.site;
      delete domain.alias_of;
    },
  ],
  ['PHP settings of sites', ({ site }) => void delete (site as { php?: unknown }).php],
])('an entry of an earlier release without %s equals the spec with none', async (_, age) => {
  const spec = specOf({ domains: [domainOf(1, 'a.example.com')] });
  await (await Ledger.open(folder, testSeal)).accept(spec);
  const file = path.join(folder, '1.json');
  const entry = JSON.parse(await readFile(file, 'utf8'));
  for (const each of entry.spec.domains) age(each);
  await writeFile(file, JSON.stringify(entry));
  const reopened = await Ledger.open(folder, testSeal);
  expect(reopened.quarantined).toEqual([]);
  expect(await reopened.accept(spec)).toEqual({ kind: 'known' });
});

test('the password of a site is encrypted, and a restart has it', async () => {
  const hash = `$6$rounds=1000$salt$${'h'.repeat(86)}`;
  const site = { ...plainSite, password: { folder: null, user: 'me', hash } };
  const spec = specOf({ domains: [domainOf(1, 'a.example.com'), domainOf(2, 'b.example.com', { site })] });
  await (await Ledger.open(folder, testSeal)).accept(spec);
  expect(await readFile(path.join(folder, '1.json'), 'utf8')).not.toContain(hash);
  expect((await Ledger.open(folder, testSeal)).find(1)?.spec).toEqual(spec);
});

test('a ledger is incomplete until the control plane knows, and again after a quarantine', async () => {
  const first = await Ledger.open(folder, testSeal);
  await first.accept(specOf({ generation: 1 }));
  expect(first.incomplete).toBe(true);
  expect((await Ledger.open(folder, testSeal)).incomplete).toBe(true);
  await first.markComplete();
  expect(first.incomplete).toBe(false);
  expect((await Ledger.open(folder, testSeal)).incomplete).toBe(false);

  await writeFile(path.join(folder, '1.json'), 'torn');
  expect((await Ledger.open(folder, testSeal)).incomplete).toBe(true);
  expect((await Ledger.open(folder, testSeal)).incomplete).toBe(true);
});

const secretive = specOf({
  databases: [
    {
      database_id: 1,
      db_name: 'demo_shop',
      password: 'Canary1DatabasePassword',
      password_revision: 1,
      allowed_ips: [],
      desired_state: 'active',
    },
  ],
  apps: [
    nodeApp(1, {
      env: [
        { name: 'OPEN', value: 'canary-2-variable', is_secret: false },
        { name: 'SECRET', value: 'canary-3-secret', is_secret: true },
      ],
      release: {
        release_id: 1,
        source: 'git',
        archive_sha256: '',
        archive_bytes: 0,
        git_repository: 'ssh://git@git.example.com/shop.git',
        git_branch: 'main',
        git_deploy_key: 'canary-4-key\n',
      },
    }),
    nodeApp(2),
  ],
});

test('stores no secret unencrypted, and a restart has all of them', async () => {
  const ledger = await Ledger.open(folder, testSeal);
  await ledger.accept(secretive);
  await ledger.recordAcceptedReport(1, { observed_generation: 1, outcome: 'applied', digest: 'd' });
  const text = await readFile(path.join(folder, '1.json'), 'utf8');
  expect(text).not.toMatch(/canary/i);
  expect(text).not.toContain(secretive.password_hash);
  expect((await Ledger.open(folder, testSeal)).find(1)?.spec).toEqual(secretive);
  expect(await ledger.accept(secretive)).toEqual({ kind: 'known' });
});

test('encrypts the unencrypted secrets of an earlier release at the start', async () => {
  const file = path.join(folder, '1.json');
  await writeFile(file, JSON.stringify({ version: 1, spec: secretive, accepted_report: null }));
  expect((await Ledger.open(folder, testSeal)).find(1)?.spec).toEqual(secretive);
  expect(await readFile(file, 'utf8')).not.toMatch(/canary/i);
});

test('rejects secrets of another server or account', async () => {
  await (await Ledger.open(folder, testSeal)).accept(secretive);
  const file = path.join(folder, '1.json');
  const text = await readFile(file, 'utf8');
  await writeFile(path.join(folder, '2.json'), text.replace('"account_id": 1', '"account_id": 2'));
  const reopened = await Ledger.open(folder, testSeal);
  expect(reopened.specs().map(({ account_id }) => account_id)).toEqual([1]);
  const elsewhere = await Ledger.open(folder, new LedgerSeal(Buffer.alloc(32, 8)));
  expect(elsewhere.size).toBe(0);
  expect(elsewhere.quarantined.at(-1)?.reason).toBe('The key of this server does not decrypt its secrets.');
  expect(elsewhere.incomplete).toBe(true);
});

test('creates the key once, readable by root only', async () => {
  const file = path.join(folder, 'ledger.key');
  const sealed = (await LedgerSeal.open(file)).seal(secretive);
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  expect((await LedgerSeal.open(file)).open(sealed.spec, sealed.sealed)).toEqual(secretive);
  await writeFile(file, 'short');
  await expect(LedgerSeal.open(file)).rejects.toThrow('32 bytes');
});

const other = 'd1'.repeat(16);

test.each(['active', 'suspended', 'absent'] as const)(
  'a spec of another creation is refused as foreign, whatever its generation: %s',
  async (desired_state) => {
    const ledger = await Ledger.open(folder, testSeal);
    await ledger.accept(specOf({ generation: 3 }));
    for (const generation of [1, 3, 9])
      expect(await ledger.accept(specOf({ creation_id: other, generation, desired_state }))).toEqual({
        kind: 'refused',
        reason: expect.stringMatching(/^creation_id: /),
        isForeign: true,
      });
    expect(ledger.find(1)?.spec).toMatchObject({ generation: 3, desired_state: 'active' });
  },
);

test('another account’s uid or user is foreign, an old generation of the same creation is not', async () => {
  const ledger = await Ledger.open(folder, testSeal);
  await ledger.accept(specOf({ generation: 3 }));
  for (const spec of [
    specOf({ account_id: 2, creation_id: other }),
    specOf({ account_id: 2, creation_id: other, uid: 20_009 }),
    specOf({ generation: 4, uid: 20_009 }),
  ])
    expect(await ledger.accept(spec)).toMatchObject({ kind: 'refused', isForeign: true });
  expect(await ledger.accept(specOf({ generation: 2 }))).toMatchObject({ kind: 'refused', isForeign: false });
});

test('an entry without a creation adopts the received one, and requests it', async () => {
  const before = specOf({ generation: 3, creation_id: '' });
  await (await Ledger.open(folder, testSeal)).markComplete();
  await (await Ledger.open(folder, testSeal)).accept(before);
  const ledger = await Ledger.open(folder, testSeal);
  expect(ledger.incomplete).toBe(true);
  expect(await ledger.accept({ ...before, creation_id: other })).toEqual({ kind: 'known' });
  const reopened = await Ledger.open(folder, testSeal);
  expect(reopened.incomplete).toBe(false);
  expect(reopened.find(1)?.spec.creation_id).toBe(other);
  expect(await reopened.accept(specOf({ generation: 4, desired_state: 'absent' }))).toMatchObject({
    isForeign: true,
  });
});

test('an earlier control plane can change an account, but not remove one with a creation', async () => {
  const ledger = await Ledger.open(folder, testSeal);
  const known = specOf({ generation: 3 });
  await ledger.accept(known);
  const next = specOf({ generation: 4, creation_id: '', desired_state: 'suspended' });
  expect(await ledger.accept(next)).toEqual({ kind: 'stored' });
  expect(ledger.find(1)?.spec.creation_id).toBe(known.creation_id);
  expect(await ledger.accept({ ...next, generation: 5, desired_state: 'absent' })).toMatchObject({
    kind: 'refused',
    isForeign: true,
  });
});

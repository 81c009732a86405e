import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createPackage, createToken, revokeToken, setPool } from '@innkeeper/services';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { useControlPlaneRig } from './control-plane-rig.ts';

const PROGRAM = join(import.meta.dirname, '../../../../scripts/conformance.ts');

const rig = useControlPlaneRig({
  rateLimits: { user: 6_000, health: 60, sso: 30 },
  // The address that the suite claims to have must not count.
  trustedProxies: [],
});
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'innkeeper-conformance-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Writes the additional tokens that the suite accepts to a file. */
async function furtherTokens(): Promise<string> {
  const { operator } = rig;
  const of = (user: string, name: string, more: object) => createToken(operator, { user, name, ...more });
  const revoked = await of('root-admin', 'revoked', { preset: 'full_access' });
  await revokeToken(operator, { token_id: revoked.token.id });
  const tokens = {
    reseller: rig.resellerToken,
    'read-only': (await of('root-admin', 'reads', { preset: 'read_only' })).plain_token,
    provisioning: (await of('root-admin', 'provisions', { preset: 'provisioning' })).plain_token,
    'no-abilities': (await of('root-admin', 'nothing', { abilities: [] })).plain_token,
    revoked: revoked.plain_token,
    'foreign-address': (
      await of('root-admin', 'elsewhere', { preset: 'full_access', allowed_ips: '203.0.113.200' })
    ).plain_token,
  };
  const file = join(folder, 'tokens.json');
  await writeFile(file, JSON.stringify(tokens), { mode: 0o600 });
  return file;
}

let runs = 0;

/** Creates packages: one with more room than the rig's own, and one that is soon too small. */
async function createPackages(): Promise<number> {
  runs += 1;
  const base = { disk_mb: 1_000, bandwidth_mb: 10_000, cpu_percent: 100, ram_mb: 512 };
  const io = { io_read_mbps: null, io_write_mbps: 50, iops: 1_000, max_processes: 60 };
  const counts = { max_domains: 3, max_databases: 2, max_apps: 2, max_cron_jobs: 3 };
  const sold = await createPackage(rig.operator, { name: `Conformance ${runs}`, ...base, ...io, ...counts });
  await createPackage(rig.operator, { name: `Tiny ${runs}`, ...base, ...io, ...counts, max_databases: 0 });
  await rig.db.updateTable('packages').set({ max_cron_jobs: 4 }).where('is_internal', '=', 1).execute();
  return sold.id;
}

interface Run {
  exitCode: number | null;
  lines: string[];
  stderr: string;
}

/** Runs the suite. `interruptAt`: the number of the section at whose first line the suite gets SIGINT. */
async function conformance(args: readonly string[], interruptAt?: string): Promise<Run> {
  const child = spawn(process.execPath, [PROGRAM, `${rig.origin}/api/v1`, ...args]);
  let [stdout, stderr] = ['', ''];
  let interrupted = false;
  child.stdout.on('data', (chunk) => {
    stdout += chunk;
    if (interrupted || interruptAt === undefined || !stdout.includes(`\n${interruptAt} `)) return;
    interrupted = true;
    child.kill('SIGINT');
  });
  child.stderr.on('data', (chunk) => (stderr += chunk));
  const exitCode = await new Promise<number | null>((resolve) => child.once('close', resolve));
  return { exitCode, lines: stdout.split('\n'), stderr };
}

const accountsOf = async () =>
  (await rig.db.selectFrom('accounts').select(['username', 'state']).execute()).filter(
    ({ username, state }) => /^7?cf/.test(username) && state !== 'terminating',
  );

test('every clause of the specification holds, and no account is left', { timeout: 180_000 }, async () => {
  await setPool(rig.operator, { reseller: 'acme', iops: 5_000 });
  const tokens = ['--tokens', await furtherTokens(), '--reseller-pool', 'iops=5000'];
  const more = ['--package-id', String(await createPackages()), '--git-repository', 'https://github.com/a/b'];
  const { exitCode, lines, stderr } = await conformance([rig.adminToken, ...tokens, ...more]);
  expect(lines.filter((line) => /\b(FAIL|differs) {2}/.test(line))).toEqual([]);
  expect(lines.filter((line) => / ok /.test(line)).length).toBeGreaterThan(550);
  expect({ exitCode, stderr }).toMatchObject({ exitCode: 0 });
  expect(await accountsOf()).toEqual([]);
});

test('an interrupted run stops at once and leaves no account', { timeout: 60_000 }, async () => {
  const before = await accountsEverMade();
  const { exitCode, lines } = await conformance([rig.adminToken], '2.3');
  expect(exitCode).toBe(130);
  expect(lines.some((line) => line.startsWith('9 '))).toBe(false);
  expect(await accountsEverMade()).toBeGreaterThan(before);
  expect(await accountsOf()).toEqual([]);
});

test('the suite explains invalid arguments and invalid tokens', async () => {
  expect(await conformance([])).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('BASE_URL') });
  const { exitCode, stderr } = await conformance(['ik_wrong']);
  expect({ exitCode, stderr }).toEqual({ exitCode: 1, stderr: expect.stringContaining('401') });
  expect((await conformance([rig.resellerToken])).stderr).toContain("must be an admin's");
});

/** Counts with the audit log, because the node may have removed an account by now. */
async function accountsEverMade(): Promise<number> {
  const { count } = await rig.db
    .selectFrom('audit_log')
    .select((select) => select.fn.countAll<number>().as('count'))
    .where('action', '=', 'account.create')
    .executeTakeFirstOrThrow();
  return count;
}

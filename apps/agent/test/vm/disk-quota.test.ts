import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { AccountSpec } from '@innkeeper/protocol';
import { takeVirtualServer, type VirtualMachine, waitUntil } from '@innkeeper/testkit/machine';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ATTACK } from '../boxes/attackers.ts';
import { bundleProgram } from '../boxes/bundle-program.ts';
import { CANARIES, plantCanaries, seeCanaries } from '../boxes/canaries.ts';
import { specOf } from '../specs.ts';
import type { DiskQuotaAnswer, DiskQuotaRequest } from './disk-quota-program.ts';
import type { Races, RacesAnswer } from './races-program.ts';

/**
 * The agent's tools for disk quotas and their failures, and attacks that need kernel protections to be turned off.
 * Boxes share the kernel of this machine, so all this runs in the virtual machine, while its agent is stopped.
 */
const NODE = '/opt/innkeeper/agent/node';
const SOCKET = '/run/disk-quota.sock';
const HOME = '/home/hoarder';
const MIB = 1_048_576;
/** Above the uids of the accounts that other files create. */
const FIRST_UID = 30_000;
const UID = FIRST_UID + 1;
const UNIT = '../../../../deploy/node/usr/lib/innkeeper/units/app.service';

let server: VirtualMachine;
let endTurn: (() => Promise<void>) | undefined;

beforeAll(async () => {
  const taken = await takeVirtualServer();
  endTurn = taken.end;
  server = taken.server.box;
  await server.require(['systemctl', 'stop', 'innkeeper-agent']);
  await server.writeFile('/root/disk-quota.mjs', await bundleProgram('../vm/disk-quota-program.ts'));
  await server.require(['systemd-run', '--quiet', '--unit=disk-quota', NODE, '/root/disk-quota.mjs', SOCKET]);
  const listens = async () => (await server.exec(['test', '-S', SOCKET])).exitCode === 0;
  await waitUntil('the program to listen', listens, { timeoutMs: 60_000, everyMs: 500 });
  await server.require(['install', '-d', '-o', `${UID}`, '-g', `${UID}`, HOME]);
});

afterAll(async () => {
  await pass(...[...seen.values()].map((spec): AccountSpec => ({ ...spec, desired_state: 'absent' })));
  await server.require(['rm', '-rf', HOME, `/home/.innkeeper-tmp/units/${UID}`]);
  await server.require(['systemctl', 'stop', 'disk-quota']);
  await server.require(['rm', '-f', SOCKET]);
  await server.require(['systemctl', 'start', 'innkeeper-agent']);
  await endTurn?.();
});

/** The accounts that exist on the server. */
const seen = new Map<number, AccountSpec>();

const account = (id: number, disk_mb: number, changes: Partial<AccountSpec> = {}) =>
  specOf({
    account_id: id,
    uid: FIRST_UID + id,
    linux_user: id === 1 ? 'hoarder' : `user${id}`,
    limits: { ...specOf({}).limits, disk_mb },
    domains: [],
    ...changes,
  });

const run = async (
  specs: AccountSpec[],
  options: Partial<Omit<DiskQuotaRequest, 'specs'>> = {},
): Promise<DiskQuotaAnswer> => {
  const input = JSON.stringify({
    specs,
    turnOff: false,
    ...options,
  } satisfies DiskQuotaRequest);
  const argv = [
    'curl',
    '-s',
    '--fail-with-body',
    '--unix-socket',
    SOCKET,
    '--data-binary',
    '@-',
    'http://program/',
  ];
  for (const spec of specs) seen.set(spec.uid, spec);
  return JSON.parse(await server.require(argv, { input, timeoutMs: 120_000 })) as DiskQuotaAnswer;
};

/** Runs one pass of the agent's drivers over each account. */
const pass = (...specs: AccountSpec[]) => run(specs);

/** Writes this many MiB to a file of the account, as the account. */
const write = (mib: number) => {
  const dd = ['dd', 'if=/dev/zero', `of=${HOME}/file`, 'bs=1M', `count=${mib}`, 'conv=fsync'];
  return server.exec(['setpriv', '--reuid', `${UID}`, '--regid', `${UID}`, '--clear-groups', ...dd]);
};

/** KiB counted by the kernel, and the limit. Undefined if the kernel has neither. */
const reported = async (uid: number = UID) => {
  const report = await server.require(['repquota', '-u', '-n', '-v', '-O', 'csv', '/home']);
  const fields = report
    .split('\n')
    .find((line) => line.startsWith(`#${uid},`))
    ?.split(',');
  return fields && { usedKib: Number(fields[3]), limitKib: Number(fields[5]) };
};

test('enforces the limit of a new account, and a second pass changes nothing', async () => {
  expect(await pass(account(1, 20))).toMatchObject({ isEnforced: true, failures: [] });
  expect(await write(40)).toMatchObject({
    exitCode: 1,
    stderr: expect.stringContaining('Disk quota exceeded'),
  });
  const { usedKib, limitKib } = (await reported())!;
  expect(limitKib).toBe(20_480);
  expect(usedKib).toBeGreaterThan(20_480 - 1_024);
  expect(usedKib).toBeLessThanOrEqual(20_480);
  const { changes, measured } = await pass(account(1, 20));
  expect(changes).toBe(0);
  expect(measured).toEqual([[UID, usedKib * 1_024]]);
});

test('usage includes an account’s files outside its home, as its limit does', async () => {
  await server.require(['dd', 'if=/dev/zero', 'of=/home/elsewhere', 'bs=1M', 'count=2', 'conv=fsync']);
  await server.require(['chown', `${UID}:${UID}`, '/home/elsewhere']);
  const { measured } = await pass(account(1, 20));
  const { usedKib } = (await reported())!;
  const inHome = Number((await server.require(['du', '-s', '--block-size=1', HOME])).split('\t')[0]);
  await server.require(['rm', '/home/elsewhere']);
  expect(measured).toEqual([[UID, usedKib * 1_024]]);
  expect(usedKib * 1_024 - inHome).toBe(2 * MIB);
});

test('counts files in /tmp and /var/tmp, and stops at the limit', async () => {
  const unit = await readFile(join(import.meta.dirname, UNIT), 'utf8');
  const places = unit.split('\n').filter((line) => /^(PrivateTmp|BindPaths)=/.test(line));
  expect(places).toHaveLength(2);
  const folder = `/home/.innkeeper-tmp/units/${UID}`;
  await server.require(['install', '-d', '-m', '700', '-o', `${UID}`, '-g', `${UID}`, folder]);
  await server.require(['rm', '-f', `${HOME}/file`]);
  const properties = places.map((line) => `--property=${line.replaceAll('%j', `${UID}`)}`);
  for (const place of ['/tmp', '/var/tmp']) {
    const dd = ['dd', 'if=/dev/zero', `of=${place}/file`, 'bs=1M', 'count=30', 'conv=fsync'];
    const written = await server.exec([
      ...['systemd-run', '--quiet', '--collect', '--wait', '--pipe', `--uid=${UID}`, `--gid=${UID}`],
      ...properties,
      ...['--', ...dd],
    ]);
    expect(written).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('Disk quota exceeded') });
  }
  const kept = await server.require(['stat', '-c', '%U %s', `${folder}/file`]);
  expect(Number(kept.split(' ')[1])).toBeGreaterThan(0);
  const { measured } = await pass(account(1, 20));
  expect(measured).toEqual([[UID, (await reported())!.usedKib * 1_024]]);
  await server.require(['rm', `${folder}/file`]);
});

test('a new limit applies at once, and a limit below the current usage removes nothing', async () => {
  expect(await pass(account(1, 40))).toMatchObject({ changes: 1, failures: [] });
  expect((await write(30)).exitCode).toBe(0);
  expect(await pass(account(1, 10))).toMatchObject({ changes: 1, failures: [] });
  expect(Number(await server.require(['stat', '-c', '%s', `${HOME}/file`]))).toBe(30 * MIB);
  expect((await write(11)).exitCode).toBe(1);
});

test('restores a limit that was removed by hand', async () => {
  await server.require(['setquota', '-u', `${UID}`, '0', '0', '0', '0', '/home']);
  expect(await pass(account(1, 20))).toMatchObject({ changes: 1, failures: [] });
  expect((await reported())?.limitKib).toBe(20_480);
});

test('a suspended account keeps its limit', async () => {
  expect(await pass(account(1, 20, { desired_state: 'suspended' }))).toMatchObject({
    changes: 0,
    failures: [],
  });
});

test('concurrent accounts share runs of the quota programs', async () => {
  const many = Array.from({ length: 60 }, (_, at) => account(100 + at, 50 + at));
  const { programs, failures } = await pass(...many);
  expect(failures).toEqual([]);
  expect(programs).toBeLessThan(20);
  expect((await reported(FIRST_UID + 159))?.limitKib).toBe(109 * 1_024);
});

test('a removed account leaves no limit', async () => {
  expect(await pass(account(150, 50, { desired_state: 'absent' }))).toMatchObject({ failures: [] });
  expect((await reported(FIRST_UID + 150))?.limitKib ?? 0).toBe(0);
});

test('reports a quota that counts without enforcing as no quota', async () => {
  await server.require(['quotaoff', '-u', '/home']);
  expect(await server.require(['sh', '-c', 'quotaon -p -u /home || true'])).toContain('is on');
  expect(await pass(account(1, 20))).toMatchObject({ isEnforced: false, changes: 0, failures: [] });
  await server.require(['quotaon', '-u', '/home']);
  expect(await pass(account(1, 20))).toMatchObject({ isEnforced: true, changes: 0, failures: [] });
});

test('a quota that is turned off while the agent runs is reported with the next step', async () => {
  const { failures } = await run([account(1, 20)], { turnOff: true });
  await server.require(['quotaon', '-u', '/home']);
  expect(failures).toEqual([expect.stringContaining('are no longer enforced. Run: quotaon -u /home')]);
});

describe('attacks on root with links, FIFOs and hard links', () => {
  /** At least: they go on until each way of the attack has succeeded once. */
  const RACES_MS = process.env.INNKEEPER_TEST_ALL === 'true' ? 15_000 : 5_000;
  /** An emulated processor gives the attacker's processes little time: the slowest way may need more turns. */
  const LONGEST_RACES_MS = 75_000;
  const WAYS = ['links', 'fifos', 'stages'];
  const GUEST_WELCOME_PAGE = '/usr/share/innkeeper/pages/welcome.php';
  const RACER = FIRST_UID + 300;
  const spec = specOf({ account_id: 300, uid: RACER, linux_user: 'racer' });

  beforeAll(async () => {
    await server.writeFile('/root/races.mjs', await bundleProgram('../vm/races-program.ts'));
    await plantCanaries(server);
  });

  afterAll(async () => {
    await server.require(['systemctl', 'restart', 'systemd-sysctl']);
    await server.require(['rm', '-rf', `/home/.innkeeper-tmp/units/${RACER}`]);
  });

  test.each([
    { protections: 'off', links: 0, files: 0, hardLinks: /hardlinks=[1-9]/ },
    { protections: 'on', links: 1, files: 2, hardLinks: /^(?!.*hardlinks=).*forbidden=[1-9]/m },
  ])('change nothing of root’s with fs.protected_* $protections', { retry: 0 }, async (kernel) => {
    const { links, files } = kernel;
    await server.require([
      ...['sysctl', '-q', `fs.protected_symlinks=${links}`, `fs.protected_hardlinks=${links}`],
      ...[`fs.protected_fifos=${files}`, `fs.protected_regular=${files}`],
    ]);
    const before = await seeCanaries(server);
    const input: Races = {
      spec,
      ms: RACES_MS,
      longestMs: LONGEST_RACES_MS,
      ways: [...WAYS, kernel.links === 0 ? 'hardlinks' : 'forbidden'],
      attacker: [ATTACK, `${Date.now() % 2 ** 31}`, CANARIES, ...WAYS, 'hardlinks'],
      webGid: Number(await server.require(['id', '-g', 'www-data'])),
      welcomePage: GUEST_WELCOME_PAGE,
    };
    const said = await server.require([NODE, '/root/races.mjs'], {
      input: JSON.stringify(input),
      timeoutMs: 280_000,
    });
    const answer = JSON.parse(said) as RacesAnswer;
    console.log(`fs.protected_* ${kernel.protections}: ${said.trim()}`);
    expect(await seeCanaries(server)).toBe(before);
    expect(answer.defects).toEqual([]);
    for (const what of ['create', 'deploy', 'roll back', 'scan', 'suspend', 'delete'])
      expect(answer.made[what], what).toBeGreaterThan(0);
    for (const way of WAYS) expect(answer.ways.join('\n'), way).toMatch(new RegExp(`${way}=[1-9]`));
    expect(answer.ways.join('\n')).toMatch(kernel.hardLinks);
    expect((await server.exec(['pgrep', '--uid', `${RACER}`])).stdout).toBe('');
  });
});

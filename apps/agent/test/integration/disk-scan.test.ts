import { chown, link, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { DiskScan } from '../../src/capabilities/disk/disk-scan.ts';
import type { DiskQuota, StoredThings } from '../../src/capabilities/disk/host.ts';
import { Changes } from '../../src/node/changes.ts';
import { Exec } from '../../src/node/exec.ts';
import { HostError } from '../../src/node/host-error.ts';
import { ownerNamed } from '../../src/node/owner.ts';

const MIB = 1_048_576;
const changes = new Changes();
let folder: string;
let homes: string;
let databases: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'disk-'));
  homes = join(folder, 'home');
  databases = join(folder, 'mysql');
  await mkdir(homes);
  // Closed to all users but root, as the server's folder is.
  await mkdir(databases, { mode: 0o700 });
});
afterAll(() => rm(folder, { recursive: true }));

const noQuota: Pick<DiskQuota, 'stored'> = { stored: async () => undefined };
const scan = (exec = new Exec(changes), quota = noQuota) =>
  new DiskScan(exec, async () => databases, quota, homes);

/** It times out whenever it reaches dora’s home. The partial result of each program is kept. */
class SlowAtDoras extends Exec {
  readonly programs: string[][] = [];

  override async attempt(
    ...[program, args, options]: Parameters<Exec['attempt']>
  ): ReturnType<Exec['attempt']> {
    const names = args
      .filter((arg) => arg.startsWith(folder) && !arg.includes('/.innkeeper-tmp/'))
      .map((arg) => arg.slice(folder.length + 1));
    this.programs.push(names);
    const slow = args.findIndex((arg) => arg.endsWith('/dora') && !arg.includes('/.innkeeper-tmp/'));
    if (slow === -1) return await super.attempt(program, args, options);
    if (names[0] === 'home/dora') return { exitCode: undefined, wasCutOff: true, stdout: '', stderr: '' };
    const { stdout, stderr } = await super.attempt(program, args.slice(0, slow), options);
    return { exitCode: undefined, wasCutOff: true, stdout: `${stdout}9\t${homes}/alice`, stderr };
  }
}
const account = (name: string, uid: number, names: string[] = []): StoredThings => ({
  owner: ownerNamed(name, uid),
  databases: names,
});

async function makeHome(name: string, uid: number, mib: number): Promise<string> {
  const home = join(homes, name);
  await mkdir(join(home, 'private'), { recursive: true, mode: 0o700 });
  await writeFile(join(home, 'private/file'), Buffer.alloc(mib * MIB, 1), { mode: 0o600 });
  for (const path of [home, join(home, 'private'), join(home, 'private/file')]) await chown(path, uid, uid);
  return home;
}

it('measures homes that only their owner can read, and databases, in one run', async () => {
  await makeHome('alice', 20_001, 3);
  await makeHome('bob', 20_002, 1);
  for (const name of ['alice_shop', 'alice@002dx_shop']) {
    await mkdir(join(databases, name), { mode: 0o700 });
    await writeFile(join(databases, name, 'orders.ibd'), Buffer.alloc(2 * MIB, 1));
  }
  const accounts = [
    account('alice', 20_001, ['alice_shop', 'alice-x_shop', 'alice_none']),
    account('bob', 20_002),
  ];
  const sizes = await scan().measure(accounts);
  expect(Math.floor(sizes.get(20_001)! / MIB)).toBe(7);
  expect(Math.floor(sizes.get(20_002)! / MIB)).toBe(1);
});

it('uses the quota’s figures for homes, and measures other homes and databases', async () => {
  const quota = { stored: async () => new Map([[20_001, 5 * MIB]]) };
  const sizes = await scan(new Exec(changes), quota).measure([
    account('alice', 20_001, ['alice_shop']),
    account('bob', 20_002),
  ]);
  expect(Math.floor(sizes.get(20_001)! / MIB)).toBe(7);
  expect(Math.floor(sizes.get(20_002)! / MIB)).toBe(1);
});

it('measures an account’s private /tmp and /var/tmp, of its sessions and its units', async () => {
  await makeHome('tara', 20_009, 1);
  for (const place of ['tmp/tara', 'var-tmp/tara', 'units/20009']) {
    await mkdir(join(homes, '.innkeeper-tmp', place), { recursive: true, mode: 0o700 });
    await writeFile(join(homes, '.innkeeper-tmp', place, 'file'), Buffer.alloc(2 * MIB, 1));
  }
  const sizes = await scan().measure([account('tara', 20_009)]);
  expect(Math.floor(sizes.get(20_009)! / MIB)).toBe(7);
});

it('measures homes while the quota has no figures', async () => {
  const quota = { stored: () => Promise.reject(new HostError('Failed', 'turned off')) };
  const sizes = await scan(new Exec(changes), quota).measure([account('bob', 20_002)]);
  expect(Math.floor(sizes.get(20_002)! / MIB)).toBe(1);
});

it('counts hard links once, and does not follow symbolic links', async () => {
  const home = await makeHome('carol', 20_003, 1);
  await link(join(home, 'private/file'), join(home, 'private/again'));
  await symlink(join(homes, 'alice'), join(home, 'to-alice'));
  await symlink('/', join(home, 'to-all'));
  const sizes = await scan().measure([account('carol', 20_003)]);
  expect(Math.floor(sizes.get(20_003)! / MIB)).toBe(1);
});

it('reports 0 for a missing home', async () => {
  expect(await scan().measure([account('nobodyshome', 20_004)])).toEqual(new Map([[20_004, 0]]));
});

it('keeps partial results of a scan that times out, and leaves out an account that times out even alone', async () => {
  const slow = new SlowAtDoras(changes);
  const sizes = await scan(slow).measure([
    account('nobodyshome', 20_004),
    account('bob', 20_002),
    account('dora', 20_005),
    account('alice', 20_001, ['alice_shop']),
  ]);
  expect([...sizes].map(([uid, bytes]) => [uid, Math.floor(bytes / MIB)])).toEqual([
    [20_004, 0],
    [20_002, 1],
    [20_001, 5],
  ]);
  expect(slow.programs).toEqual([
    ['home/nobodyshome', 'home/bob', 'home/dora', 'home/alice', 'mysql/alice_shop'],
    ['home/alice', 'mysql/alice_shop'],
    ['home/dora'],
  ]);
});

it('measures an account again whose database was not reached', async () => {
  const slow = new SlowAtDoras(changes);
  const measured = await scan(slow).measure([
    account('alice', 20_001, ['dora', 'alice_shop']),
    account('bob', 20_002),
  ]);
  expect(measured.has(20_001)).toBe(false);
  expect(Math.floor(measured.get(20_002)! / MIB)).toBe(1);
});

it('ends at once when it is aborted', async () => {
  const abort = new AbortController();
  const measuring = scan().measure([account('alice', 20_001), account('bob', 20_002)], abort.signal);
  abort.abort();
  expect(await measuring).toEqual(new Map());
});

it('runs without the right to change files', async () => {
  expect(changes.count).toBe(0);
  const status = await new Exec(changes).run('/usr/bin/setpriv', [
    ...DiskScan.asReader,
    '/usr/bin/grep',
    '-E',
    '^(Uid|CapPrm|CapEff|NoNewPrivs)',
    '/proc/self/status',
  ]);
  expect(status.stdout.replaceAll('\t', ' ')).toBe(
    'Uid: 65534 65534 65534 65534\nCapPrm: 0000000000000004\nCapEff: 0000000000000004\nNoNewPrivs: 1\n',
  );
});

it('refuses invalid database names', async () => {
  await expect(scan().measure([account('alice', 20_001, ['../mysql'])])).rejects.toMatchObject({
    reason: 'Refused',
  });
});

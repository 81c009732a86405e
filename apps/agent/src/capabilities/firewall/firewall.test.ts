import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Changes } from '../../node/changes.ts';
import { Exec, type Program } from '../../node/exec.ts';
import { HostError } from '../../node/host-error.ts';
import { ownerNamed } from '../../node/owner.ts';
import { NftFirewall } from './firewall.ts';

let folder: string;
let file: string;
let kernel: FakeKernel;
let settingsAsked: number;

/** Fakes systemd and nft: a reload copies the file into the kernel, unless it refuses. */
class FakeKernel extends Exec {
  table: string | undefined;
  refuses = false;
  /** A manual change of the table right after the next load. */
  hand: ((table: string) => string) | undefined;
  readonly runs: Program[] = [];

  override async run(program: Program, args: readonly string[]) {
    this.runs.push(program);
    await new Promise(setImmediate);
    if (args.includes('--property=PrivateNetwork=yes'))
      return { exitCode: 0, stdout: readFileSync(file, 'latin1'), stderr: '' };
    if (program === '/usr/bin/systemd-run')
      return this.table === undefined
        ? { exitCode: 1, stdout: '', stderr: 'Error: No such file or directory\n' }
        : { exitCode: 0, stdout: this.table, stderr: '' };
    if (this.refuses) throw new HostError('Failed', 'nft refuses the table.');
    this.table = readFileSync(file, 'latin1');
    this.table = this.hand?.(this.table) ?? this.table;
    this.hand = undefined;
    return { exitCode: 0, stdout: '', stderr: '' };
  }

  loads(): number {
    return this.runs.filter((program) => program === '/usr/bin/systemctl').length;
  }
}

const accountOf = (uid: number) => ownerNamed(`acct${uid}`, uid);
const accounts = (count: number) => Array.from({ length: count }, (_, at) => accountOf(20_000 + at));

/** A firewall as the agent has it after a start. */
function newFirewall(changes = new Changes()): NftFirewall {
  return new NftFirewall({
    exec: kernel,
    changes,
    settings: async () => {
      settingsAsked += 1;
      return { controlPlane: [], agentPorts: [9465], firstClientPort: 32_768 };
    },
    places: { file, nft: process.execPath },
  });
}

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'firewall-'));
  file = join(folder, 'firewall.nft');
  kernel = new FakeKernel(new Changes());
  settingsAsked = 0;
});

afterEach(() => rmSync(folder, { recursive: true }));

test('ten thousand accounts with closed port 25 cost one program per agent start', async () => {
  const firewall = newFirewall();
  for (let look = 0; look < 2; look += 1)
    for (const account of accounts(10_000)) expect(await firewall.smtpIsOpen(account)).toBe(false);
  expect(kernel.runs).toEqual(['/usr/bin/systemd-run']);
});

test('accounts that open together share loads, and the server’s state is read once', async () => {
  const changes = new Changes();
  const firewall = newFirewall(changes);
  await Promise.all(accounts(500).map((account) => firewall.setSmtp(account, true)));
  expect(kernel.loads()).toBeLessThanOrEqual(2);
  expect(settingsAsked).toBe(1);
  expect(changes.count).toBeGreaterThan(0);
  for (const account of accounts(500)) expect(await firewall.smtpIsOpen(account)).toBe(true);
  expect(await firewall.smtpIsOpen(accountOf(20_500))).toBe(false);
  expect(await firewall.ensure()).toBe(false);
});

test('a new agent keeps open ports open, without a load', async () => {
  await newFirewall().setSmtp(accountOf(20_007), true);
  const before = kernel.loads();
  const changes = new Changes();
  const next = newFirewall(changes);
  expect(await next.smtpIsOpen(accountOf(20_007))).toBe(true);
  expect(await next.smtpIsOpen(accountOf(20_008))).toBe(false);
  expect([kernel.loads(), changes.count]).toEqual([before, 0]);
  await next.ensure();
  expect(await next.smtpIsOpen(accountOf(20_007))).toBe(true);
  expect(changes.count).toBe(0);
});

test('reports a port open or closed only after the kernel has it', async () => {
  const firewall = newFirewall();
  await firewall.ensure();
  kernel.refuses = true;
  await expect(firewall.setSmtp(accountOf(20_007), true)).rejects.toThrow('nft refuses the table.');
  expect(await firewall.smtpIsOpen(accountOf(20_007))).toBeUndefined();
  kernel.refuses = false;
  await firewall.setSmtp(accountOf(20_007), true);
  kernel.refuses = true;
  await expect(firewall.setSmtp(accountOf(20_007), false)).rejects.toThrow('nft refuses the table.');
  expect(await firewall.smtpIsOpen(accountOf(20_007))).toBeUndefined();
  await expect(firewall.ensure()).rejects.toThrow('nft refuses the table.');
  // A firewall that a crash interrupted between the file and the kernel.
  expect(await newFirewall().smtpIsOpen(accountOf(20_007))).toBeUndefined();
  kernel.refuses = false;
  await firewall.setSmtp(accountOf(20_007), false);
  expect(await firewall.smtpIsOpen(accountOf(20_007))).toBe(false);
});

test('restores the table after manual changes in the kernel or the file', async () => {
  const firewall = newFirewall();
  await firewall.setSmtp(accountOf(20_007), true);
  const right = readFileSync(file, 'latin1');
  for (const wrong of [right.replace('20007', '20008'), right.replace(/elements = .*/, ''), undefined]) {
    kernel.table = wrong;
    expect(await firewall.ensure()).toBe(true);
    expect(kernel.table).toBe(right);
  }
  writeFileSync(file, right.replace('20007', '20007, 20008'));
  expect(await firewall.ensure()).toBe(true);
  expect(kernel.table).toBe(right);
});

test('a rule that is removed between load and check is a failure, and is repaired', async () => {
  const firewall = newFirewall();
  kernel.hand = (table) => table.replace(/.*tcp dport 25 .*/, '');
  await expect(firewall.ensure()).rejects.toThrow(HostError);
  expect(await firewall.ensure()).toBe(true);
  expect(await firewall.ensure()).toBe(false);
});

test('a manual removal between load and check is a failure, and is repaired', async () => {
  const firewall = newFirewall();
  kernel.hand = (table) => table.replace(/elements = .*/, '');
  await expect(firewall.setSmtp(accountOf(20_007), true)).rejects.toThrow(HostError);
  expect(await firewall.smtpIsOpen(accountOf(20_007))).toBeUndefined();
  expect(await firewall.ensure()).toBe(true);
  expect(await firewall.smtpIsOpen(accountOf(20_007))).toBe(true);
});

test('if the kernel lost the table, no account is reported open, and accounts with a closed port run no program', async () => {
  const firewall = newFirewall();
  await firewall.setSmtp(accountOf(20_007), true);
  kernel.table = undefined;
  kernel.refuses = true;
  await expect(firewall.ensure()).rejects.toThrow('nft refuses the table.');
  const before = kernel.runs.length;
  expect(await firewall.smtpIsOpen(accountOf(20_007))).toBeUndefined();
  expect(await firewall.smtpIsOpen(accountOf(20_008))).toBe(false);
  expect(kernel.runs).toHaveLength(before);
});

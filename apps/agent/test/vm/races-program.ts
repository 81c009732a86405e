import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { type AccountSpec, accountSpecSchema } from '@innkeeper/protocol';
import { AppFolders } from '../../src/capabilities/apps/releases/app-files.ts';
import { ownerOf } from '../../src/capabilities/claim.ts';
import { FileSystemQuota } from '../../src/capabilities/disk/disk-quota.ts';
import { DiskScan } from '../../src/capabilities/disk/disk-scan.ts';
import { homeDriver } from '../../src/capabilities/home/home-driver.ts';
import { HomeFolders } from '../../src/capabilities/home/homes.ts';
import type { Host } from '../../src/capabilities/host.ts';
import { RemainsOnNode } from '../../src/capabilities/remains/remains.ts';
import { ProcFs } from '../../src/capabilities/slice/processes.ts';
import { AccountFiles } from '../../src/capabilities/user/account-database.ts';
import { userDriver } from '../../src/capabilities/user/user-driver.ts';
import { AccountChild } from '../../src/node/account-child.ts';
import { KernelCgroups } from '../../src/node/cgroups.ts';
import { Changes } from '../../src/node/changes.ts';
import { Exec } from '../../src/node/exec.ts';
import { HostError } from '../../src/node/host-error.ts';
import { createObserveAsUsers } from '../../src/node/observe-as-users.ts';
import { HomeTmpFolders } from '../../src/node/tmp-folders.ts';
import { runPass } from '../../src/reconciler/pass.ts';

/** Input of the program. */
export interface Races {
  spec: AccountSpec;
  /** Minimum duration in ms. */
  ms: number;
  /** The program goes on until each of these ways has succeeded once, for at most `longestMs`. */
  ways: string[];
  longestMs: number;
  /** The attackers' Perl program and its arguments: seed, canaries and ways. */
  attacker: string[];
  /** Group of the web server. */
  webGid: number;
  welcomePage: string;
}

/** Output of the program. */
export interface RacesAnswer {
  /** Number of runs of each operation. */
  made: Record<string, number>;
  /** Longest run of each operation, in ms. */
  longestMs: Record<string, number>;
  /** Result of each way of the attack, from the attack's own notes. */
  ways: string[];
  /** Unexpected failures: errors that are not HostErrors. */
  defects: string[];
}

/**
 * Repeats the agent's root operations where an account has entries, while the account attacks: creates and repairs its
 * home, moves releases to their places, measures it, observes paths below it, kills it, and removes all of it. For a
 * machine without the servers that a whole agent needs.
 */
const input = JSON.parse(readFileSync(0, 'utf8')) as Races;
const { spec: given, attacker, webGid, welcomePage } = input;
const spec = accountSpecSchema.parse(given);
const owner = ownerOf(spec);
const { linux_user: name, uid } = spec;
const link = `domains/${spec.domains[0]!.name}/public_html`;
const changes = new Changes();
const exec = new Exec(changes);
const observe = createObserveAsUsers(exec);
const child = new AccountChild(exec);
const cgroups = new KernelCgroups(changes);
const homes = new HomeFolders(exec, observe, changes, webGid, welcomePage);
const accounts = new AccountFiles(exec, changes);
const processes = new ProcFs(child, (one) => cgroups.kill(one));
const apps = new AppFolders(exec, observe, welcomePage);
const remains = new RemainsOnNode(exec, changes, []);
const scan = new DiskScan(exec, async () => '/var/lib/mysql', new FileSystemQuota(exec));
const host = { changes, accounts, homes, tmp: new HomeTmpFolders(changes), processes } as unknown as Host;

const answer: RacesAnswer = { made: {}, longestMs: {}, ways: [], defects: [] };
const RETRIES = 5;
const ATTACKER = '/run/attacker.pl';
const SHARED = ['/run/lock', '/tmp', '/var/tmp', '/dev/shm', '/dev/mqueue'];
const startedAt = performance.now();
let release = 0;

while (!isOver()) {
  await finish('create', () => pass('active'));
  attack();
  for (let turn = 0; turn < 4 && !isOver(); turn += 1) {
    release += 1;
    await operate('deploy', async () => {
      const folder = `/home/${name}/apps/1`;
      await child.createFolders(uid, [`/home/${name}/apps`, folder, `${folder}/releases`], '0755');
      await child.createFolders(uid, [`${folder}/releases/${release}`], '0755');
      await apps.swap(owner, { appId: 1, release: `${release}`, link, adopts: 'anything', spare: null });
    });
    await operate('roll back', () => apps.unlink(owner, 1, link));
    await operate('look', async () => {
      await apps.observe(owner, [{ appId: 1, release: `${release}`, link }]);
      await apps.readResult(owner, 1);
      await homes.missing(owner, [link]);
    });
    await operate('repair', () => pass('active'));
    await operate('scan', () => scan.measure([{ owner, databases: [] }]));
    await finish('read notes', async () => {
      const notes = ['links', 'fifos', 'hardlinks', 'stages'].map((way) => `/home/${name}/attack-${way}`);
      const said = await child.readEnds(uid, notes, 1_000);
      answer.ways.push(...said.split('\n').filter((line) => line !== ''));
    });
  }
  await finish('suspend', async () => {
    await processes.kill(owner);
    await pass('suspended');
  });
  if ((await processes.of(uid)).length > 0) answer.defects.push('a process outlived its account');
  await finish('delete', async () => {
    await processes.kill(owner);
    for (const folder of SHARED)
      await remains.remove(owner, { kind: 'shared file', what: `${folder}/stage-${uid}`, removable: true });
    await pass('absent');
  });
  if ((await homes.observe(owner)).kind !== 'missing') answer.defects.push('a home outlived its account');
}
console.log(JSON.stringify(answer));
process.exit();

function isOver(): boolean {
  const ms = performance.now() - startedAt;
  const missing = input.ways.filter((way) => !answer.ways.some((note) => note.includes(`${way}=`)));
  return ms >= (missing.length === 0 ? input.ms : input.longestMs);
}

/** Runs an operation once. A failure caused by the attacker is not a defect. Returns whether there was no failure. */
async function operate(what: string, work: () => Promise<unknown>): Promise<boolean> {
  const beganAt = performance.now();
  let failed = false;
  try {
    await work();
  } catch (error) {
    failed = true;
    if (!(error instanceof HostError)) answer.defects.push(`${what}: ${error}`);
  }
  answer.made[what] = (answer.made[what] ?? 0) + 1;
  answer.longestMs[what] = Math.max(answer.longestMs[what] ?? 0, Math.round(performance.now() - beganAt));
  return !failed;
}

/**
 * Retries the operation, as the reconciler does: an emulated processor may be too slow for the timeouts of single
 * steps.
 */
async function finish(what: string, work: () => Promise<unknown>): Promise<void> {
  for (let attempt = 0; attempt < RETRIES; attempt += 1) if (await operate(what, work)) return;
}

async function pass(desired_state: AccountSpec['desired_state']): Promise<void> {
  const drivers = desired_state === 'absent' ? [homeDriver, userDriver] : [userDriver, homeDriver];
  const made = await runPass({ ...spec, desired_state }, drivers, {
    host,
    now: () => performance.now(),
    mayContinue: () => 'go',
    onChange: () => {},
  });
  if (typeof made === 'string') return;
  answer.defects.push(...made.defects.map(({ driver, error }) => `${driver}: ${error}`));
  const unmet = made.conditions.filter(
    ({ type, reason }) => reason !== 'Applied' && !made.tolerated.has(type),
  );
  if (unmet.length > 0) throw new HostError('Failed', unmet.map(({ message }) => message).join(' '));
}

/** In its slice, as sessions are, and limited to 40 % of one core. */
function attack(): void {
  const [program = '', ...words] = attacker;
  writeFileSync(ATTACKER, program, { mode: 0o644 });
  const files = ['index.html', 'logs/app-1-build.log', 'logs/error.log', 'domains/notes.txt'];
  const unit = ['--quiet', '--collect', `--uid=${uid}`, `--gid=${uid}`, `--working-directory=/home/${name}`];
  const limits = [`--slice=user-${uid}.slice`, '--property=CPUQuota=40%'];
  execFileSync('/usr/bin/systemd-run', [...unit, '--wait', '--', '/usr/bin/touch', ...files]);
  execFileSync('/usr/bin/systemd-run', [...unit, ...limits, '--', '/usr/bin/perl', ATTACKER, ...words]);
}

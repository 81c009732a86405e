import { readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import type { AccountSpec } from '@innkeeper/protocol';
import { makeZip } from '@innkeeper/testkit';
import { type Box, waitUntil } from '@innkeeper/testkit/machine';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { specOf } from '../specs.ts';
import { type Customers, customersOf } from './account-session.ts';
import { type AgentBox, startAgentBox } from './agent-box.ts';
import { ATTACK } from './attackers.ts';
import { bundleProgram } from './bundle-program.ts';
import { CANARIES, plantCanaries, seeCanaries } from './canaries.ts';
import { appOf, Deploys } from './deploys.ts';
import { visit } from './site.ts';

/**
 * Tenants with a shell attack root with races, in all ways of ATTACK at once, while their accounts are created,
 * deployed to, rolled back, measured, suspended and removed. Root-owned files must stay unchanged, nothing of the
 * tenants may act 5 s after a suspension or removal was requested, and each operation must end in time.
 * `./scripts/attack` runs this for longer.
 */
const minutes = Number(process.env.INNKEEPER_ATTACK_MINUTES ?? 1);
const seed = Number(process.env.INNKEEPER_ATTACK_SEED ?? Date.now() % 2 ** 31);
const WAYS = ['links', 'fifos', 'hardlinks', 'mounts', 'stages', 'signals', 'traces'];
const LANES = 2;
const OPERATIONS = 6;
const PROGRESS_MS = 30_000;
/** Timeout of an operation on a machine under the load of the attackers. */
const IN_TIME = { timeoutMs: 60_000 };
/** Maximum time from the request of a suspension or removal until nothing of the account acts. */
const HELD_MS = 5_000;
/** Maximum time until the last file of a removed account is gone and the removal is reported. */
const REMOVED_MS = 30_000;

let server: AgentBox;
let box: Box;
let customers: Customers;
let canaries: string;
const counts = new Map<string, number>();
const longestMs = new Map<string, number>();
const ways = new Map<string, string>();
let lastId = 1;
let attacks = 0;
let residentGeneration = 1;
let residentTurn = Promise.resolve();

const domainOf = (id: number, name: string): AccountSpec['domains'][number] => ({
  ...specOf({}).domains[0]!,
  domain_id: id,
  name: `${name}.example.com`,
});
const accountOf = (id: number, linux_user: string): AccountSpec =>
  specOf({
    account_id: id,
    uid: 20_000 + id,
    linux_user,
    terminal_access: true,
    limits: { ...specOf({}).limits, cpu_percent: 40, ram_mb: 512, max_processes: 100 },
    domains: [domainOf(id, linux_user)],
  });
const resident = accountOf(1, 'resident');

beforeAll(async () => {
  server = await startAgentBox('attack');
  box = server.box;
  customers = await customersOf(box);
  await server.configure({ INNKEEPER_BUILD_TIMEOUT_S: 20 });
  await box.writeFile('/root/disk-scan.mjs', await bundleProgram('disk-scan-program.ts'));
  expect(await server.settle(resident)).toMatchObject({ outcome: 'applied' });
  await customers.write(resident, 'domains/resident.example.com/public_html/index.php', 'kept');
  await plantCanaries(box);
  canaries = await seeCanaries(box);
}, 180_000);

afterAll(async () => {
  await customers?.end();
  await server?.remove();
});

test('races of tenants reach nothing of root’s, end with their account, and block no operation', {
  timeout: minutes * 60_000 + 420_000,
  retry: 0,
}, async () => {
  const protections = await box.require(['sh', '-c', 'grep . /proc/sys/fs/protected_*']);
  console.log(`attack: ${minutes} minutes, seed ${seed}; the kernel of this machine has\n${protections}`);
  const endsAt = Date.now() + minutes * 60_000;
  const random = randomOf(seed);
  const progress = setInterval(() => console.log(`attack: ${summary()}`), PROGRESS_MS);
  try {
    await Promise.all(Array.from({ length: LANES }, () => attackInTurn(endsAt, random)));
  } finally {
    clearInterval(progress);
  }
  console.log(`attack: ${summary()}; ${[...ways].map(([way, said]) => `${way}: ${said}`).join('; ')}`);
  expect(await seeCanaries(box)).toBe(canaries);
  expect((await visit(box.address, 'resident.example.com')).body).toBe('kept');
  expect(await server.restarts()).toBe(0);
  expect(await attackersAlive()).toBe('');
  expect(attacks).toBeGreaterThanOrEqual(LANES);
  for (const way of ['links', 'stages']) expect(ways.get(way)).toMatch(/=[1-9]/);
});

/** Attacks with one account after the other until the time is over. */
async function attackInTurn(endsAt: number, random: () => number): Promise<void> {
  do {
    lastId += 1;
    const spec = accountOf(lastId, `attacker${lastId}`);
    await liveAndDie(new Deploys(server, spec), endsAt, random);
    expect(await seeCanaries(box)).toBe(canaries);
  } while (Date.now() < endsAt);
}

async function liveAndDie(deploys: Deploys, endsAt: number, random: () => number): Promise<void> {
  const spec = deploys.spec;
  const app = appOf({ app_id: spec.account_id, domain_id: spec.account_id });
  expect(await inTime('create', () => server.settle(spec))).toMatchObject({ outcome: 'applied' });
  await customers.authorize(spec);
  await beginAttack(spec);
  deploys.want({ apps: [app] });
  const operations = {
    deploy: () => deploy(deploys, app.app_id, random),
    'roll back': () => rollBack(deploys, app.app_id, random),
    'change another account': changeResident,
    scan: () => scan(spec),
    'suspend and unsuspend': () => suspend(deploys),
  };
  const names = Object.keys(operations) as (keyof typeof operations)[];
  for (let count = 0; count < OPERATIONS && Date.now() < endsAt; count += 1) {
    const name = names[Math.floor(random() * names.length)]!;
    await inTime(name, operations[name]);
  }
  await noteWays(spec);
  await remove(deploys);
}

async function beginAttack(spec: AccountSpec): Promise<void> {
  await customers.write(spec, '.attack.pl', ATTACK);
  const words = `perl .attack.pl ${seed + spec.account_id} ${CANARIES} ${WAYS.join(' ')}`;
  const { exitCode } = await customers.ssh(spec, `setsid ${words} </dev/null >/dev/null 2>&1 &`);
  if (exitCode === 0) attacks += 1;
}

/**
 * The attacker damages its own files, so the deploy may never succeed. It runs while the attack runs, and the next
 * operation starts during it.
 */
async function deploy(deploys: Deploys, appId: number, random: () => number): Promise<void> {
  const files = Array.from({ length: 1 + Math.floor(random() * 30) }, (_, at) => ({
    name: at === 0 ? 'index.html' : `f${at % 5}/x${at}`,
    data: 'page',
  }));
  deploys.deploy(appId, makeZip(files));
  await delay(random() * 5_000);
}

/** Rolls back to the state before the first deploy, and forward again. */
async function rollBack(deploys: Deploys, appId: number, random: () => number): Promise<void> {
  const before = deploys.spec.apps.find(({ app_id }) => app_id === appId)!;
  for (const release of [null, before.release]) {
    deploys.wantApp(appId, { release });
    await delay(random() * 3_000);
  }
}

/** Changes to an account that attacks nobody are applied as usual. */
async function changeResident(): Promise<void> {
  residentTurn = residentTurn.then(async () => {
    residentGeneration += 1;
    const report = await server.settle({ ...resident, generation: residentGeneration });
    expect(report).toMatchObject({ outcome: 'applied' });
  });
  await residentTurn;
}

async function scan({ linux_user: name, uid }: AccountSpec): Promise<void> {
  const input = JSON.stringify([{ owner: { name, uid }, databases: [] }]);
  const printed = await box.require(['/opt/innkeeper/agent/node', '/root/disk-scan.mjs'], {
    input,
    ...IN_TIME,
  });
  expect(JSON.parse(printed)).toEqual([[uid, expect.any(Number)]]);
}

/** The report says that nothing of the account acts, and this checks it. */
async function suspend(deploys: Deploys): Promise<void> {
  const wantedAt = performance.now();
  deploys.want({ desired_state: 'suspended' });
  const { spec } = deploys;
  await reported(spec, 'applied');
  await noteTime('suspend', wantedAt, HELD_MS, spec);
  expect(await actsOf(spec)).toBe('');
  expect(await visit(box.address, spec.domains[0]!.name)).toMatchObject({ status: 503 });
  expect(await customers.ssh(spec, 'true')).toMatchObject({ exitCode: 255 });
  await noteWays(spec);
  deploys.want({ desired_state: 'active' });
  const active = deploys.spec;
  const isReported = () => server.controlPlane.reportOf(active.account_id, active.generation) !== undefined;
  await waitUntil(`${spec.linux_user} to be looked at again`, isReported, IN_TIME);
  // Login may fail for an account that has damaged its own home.
  await beginAttack(active);
}

/** First nothing of the account acts any more; then all its files are removed, however many. */
async function remove(deploys: Deploys): Promise<void> {
  const wantedAt = performance.now();
  deploys.want({ desired_state: 'absent' });
  const { spec } = deploys;
  await waitUntil(`nothing of ${spec.linux_user} to act`, async () => (await actsOf(spec)) === '', IN_TIME);
  await noteTime('remove: held', wantedAt, HELD_MS, spec);
  await reported(spec, 'absent');
  await noteTime('remove: gone', wantedAt, REMOVED_MS, spec);
  expect(await actsOf(spec)).toBe('');
  expect(await customers.ssh(spec, 'true')).toMatchObject({ exitCode: 255 });
  expect(await box.exec(['test', '-e', `/home/${spec.linux_user}`])).toMatchObject({ exitCode: 1 });
}

/**
 * Everything through which an account can act: its processes, a site that its own programs answer for, cron jobs, a
 * login that is not expired.
 */
async function actsOf({ uid, linux_user: user, domains }: AccountSpec): Promise<string> {
  const script = `pgrep --uid ${uid} --list-full
curl -s -m 5 -H 'Host: ${domains[0]!.name}' http://127.0.0.80/.innkeeper-kind | grep -E '^(php|static|proxy) '
ls /etc/cron.d/innkeeper-${uid} 2> /dev/null
awk -F: '$1 == "${user}" && $8 != 1 { print "login of", $1 }' /etc/shadow`;
  return (await box.exec(['sh', '-c', script])).stdout;
}

async function reported(spec: AccountSpec, outcome: 'applied' | 'absent'): Promise<void> {
  const last = () => server.controlPlane.reportOf(spec.account_id, spec.generation);
  try {
    await waitUntil(
      `${spec.linux_user} to be ${spec.desired_state}`,
      () => last()?.outcome === outcome,
      IN_TIME,
    );
  } catch (error) {
    const unmet = last()?.conditions.filter(({ reason }) => reason !== 'Applied');
    throw new Error(`${(error as Error).message}; it is ${JSON.stringify(unmet)}`, { cause: error });
  }
}

/** Records the time since the request, and checks that it is within the limit. */
async function noteTime(what: string, wantedAt: number, mostMs: number, spec: AccountSpec): Promise<void> {
  const ms = performance.now() - wantedAt;
  note(what, ms);
  if (ms <= mostMs) return;
  const report = server.controlPlane.reportOf(spec.account_id, spec.generation);
  const load = await readFile('/proc/loadavg', 'latin1');
  const drivers = JSON.stringify(report?.driver_ms);
  expect.fail(`${what} took ${Math.round(ms)} ms; drivers: ${drivers}; load of the machine: ${load}`);
}

async function attackersAlive(): Promise<string> {
  return (await box.exec(['sh', '-c', "ps -eo uid=,args= | awk '$1 > 20001 && $1 < 65534'"])).stdout;
}

/** Records the result of each way of the attack, from the attack's own notes. */
async function noteWays({ linux_user: name }: AccountSpec): Promise<void> {
  const { stdout } = await box.exec(['sh', '-c', `grep -H . /home/${name}/attack-*`]);
  for (const [, way, said] of stdout.matchAll(/attack-([a-z]+):(.*)/g))
    if (said !== '' || !ways.has(way!)) ways.set(way!, said!);
}

async function inTime<T>(name: string, operation: () => Promise<T>): Promise<T> {
  const startedAt = performance.now();
  const result = await operation();
  note(name, performance.now() - startedAt);
  return result;
}

function note(name: string, ms: number): void {
  longestMs.set(name, Math.max(longestMs.get(name) ?? 0, ms));
  counts.set(name, (counts.get(name) ?? 0) + 1);
}

function summary(): string {
  const longest = (name: string) => `${((longestMs.get(name) ?? 0) / 1_000).toFixed(1)} s`;
  return [...counts].map(([name, count]) => `${count} x ${name} (at most ${longest(name)})`).join(', ');
}

/** Random numbers from 0 to 1, the same for the same seed (mulberry32). */
function randomOf(from: number): () => number {
  let state = from >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

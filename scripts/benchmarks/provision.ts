import { argon2, randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { get } from 'node:http';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type Box, type HostingServer, removeInstallation, startInstallation } from '@innkeeper/testkit';
import { buildBundles } from '../build.ts';
import { median, percentile } from './statistics.ts';

const STATE_DIR = join(import.meta.dirname, '../../.run-bench');
const FLOOR_SCRIPT = '/root/provision-floor.sh';
const FIRST_FLOOR_UID = 50_000;
const FIRST_BYTE = 'then the first answer of PHP';
const PASSWORD = 'correct horse battery';

const derive = promisify(argon2);
/** The cost of the API's own hash (packages/services/src/passwords/panel-password.ts). */
const PANEL_HASH = { memory: 19_456, passes: 2, parallelism: 1, tagLength: 32 };
/** Steps of an account made by hand. `password`: the hash of the login to the panel, which the API stores too. */
const STEPS = ['password', 'user', 'home', 'slice', 'php', 'web'] as const;
/** Duration in ms of one account made by hand: each step, their total, and the first answer of PHP after it. */
type FloorRound = Record<'total' | 'byte' | (typeof STEPS)[number], number>;

interface ApiRound {
  account: number;
  domain: number;
  total: number;
  /** The first answer of PHP after the total. */
  byte: number;
}

/**
 * Measures POST /accounts (to `synced`) and POST /domains (to `synced`, when nginx serves the name) against a script
 * that does the same by hand in the same box, alternately. Prints the medians, the ratio, and the time of each driver.
 */
export async function benchProvision(rounds: number): Promise<void> {
  console.log(`provision: ${rounds} accounts by the API and ${rounds} by hand, in turn`);
  await buildBundles();
  await removeInstallation(STATE_DIR);
  const installation = await startInstallation({ stateDir: STATE_DIR, rateLimit: 0 });
  try {
    const server = await installation.addHostingServer('bench1');
    const post = createPost(installation.baseUrl, installation.token);
    await prepareFloor(server.box);
    await apiRound(post, 'warmup', installation.packages[0]?.id);
    const before = await driverSeconds(server);

    const floor: FloorRound[] = [];
    const api: ApiRound[] = [];
    for (let round = 1; round <= rounds; round += 1) {
      const username = `bench${round}`;
      const made = await apiRound(post, username, installation.packages[0]?.id);
      api.push({ ...made, byte: await firstByte(server.box, `${username}.example.com`) });
      floor.push(await floorRound(server.box, round));
      if (process.stdout.isTTY) process.stdout.write(`\r${round}/${rounds} `);
    }
    const after = await driverSeconds(server);
    printResult(floor, api);
    printDrivers(before, after, rounds);
  } finally {
    await removeInstallation(STATE_DIR);
  }
}

type Post = (path: string, body: unknown) => Promise<{ id: number }>;

function createPost(baseUrl: string, token: string): Post {
  return async (path, body) => {
    const response = await fetch(baseUrl + path, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    const answer = (await response.json()) as { data?: { id: number; synced?: boolean } };
    if (response.status !== 201 || answer.data === undefined || answer.data.synced === false) {
      throw new Error(`POST ${path} answered ${response.status}: ${JSON.stringify(answer)}`);
    }
    return answer.data;
  };
}

async function apiRound(
  post: Post,
  username: string,
  packageId: number | undefined,
): Promise<Omit<ApiRound, 'byte'>> {
  const startedAt = performance.now();
  const { id } = await post('/accounts', {
    username,
    name: 'Bench',
    email: `${username}@example.com`,
    password: PASSWORD,
    package_id: packageId,
  });
  const account = performance.now() - startedAt;
  await post('/domains', { hosting_account_id: id, domain_name: `${username}.example.com` });
  const total = performance.now() - startedAt;
  return { account, domain: total - account, total };
}

/** Duration in ms of the first request of a new site, which starts the account's PHP. */
async function firstByte(box: Box, host: string): Promise<number> {
  const startedAt = performance.now();
  const status = await new Promise<number | undefined>((resolve, reject) => {
    const call = get({ host: box.address, headers: { host }, agent: false }, (answer) => {
      answer.resume();
      answer.on('end', () => resolve(answer.statusCode));
    });
    call.on('error', reject);
  });
  if (status !== 200) throw new Error(`${host} answered ${status}`);
  return performance.now() - startedAt;
}

async function prepareFloor(box: Box): Promise<void> {
  await box.writeFile(FLOOR_SCRIPT, await readFile(join(import.meta.dirname, 'provision-floor.sh')), {
    mode: 0o755,
  });
  await box.writeFile('/usr/share/innkeeper/floor/index.php', '<?php echo "hello";');
}

async function floorRound(box: Box, round: number): Promise<FloorRound> {
  const uid = String(FIRST_FLOOR_UID + round);
  const startedAt = performance.now();
  await derive('argon2id', { message: PASSWORD, nonce: randomBytes(16), ...PANEL_HASH });
  const password = performance.now() - startedAt;
  const name = `floor${round}`;
  const printed = await box.require([FLOOR_SCRIPT, uid, name, `${name}.example.com`], {
    input: `${PASSWORD}\n`,
  });
  const microseconds = JSON.parse(printed.trim().split('\n').at(-1) ?? '') as Omit<FloorRound, 'password'>;
  const onServer = Object.fromEntries(
    Object.entries(microseconds).map(([step, value]) => [step, value / 1_000]),
  ) as Omit<FloorRound, 'password'>;
  return { ...onServer, password, total: password + onServer.total };
}

/** Returns the seconds and the passes of each driver since the agent started. */
async function driverSeconds(
  server: HostingServer,
): Promise<Map<string, { seconds: number; count: number }>> {
  const text = await server.box.require(['curl', '-fsS', 'http://127.0.0.1:9465/metrics']);
  const found = new Map<string, { seconds: number; count: number }>();
  for (const [, kind, driver = '', value] of text.matchAll(
    /^innkeeper_agent_driver_duration_seconds_(sum|count)\{driver="([^"]+)"\} (\S+)$/gm,
  )) {
    const entry = found.get(driver) ?? { seconds: 0, count: 0 };
    if (kind === 'sum') entry.seconds = Number(value);
    else entry.count = Number(value);
    found.set(driver, entry);
  }
  return found;
}

function printResult(floor: readonly FloorRound[], api: readonly ApiRound[]): void {
  const row = (name: string, values: readonly number[]) =>
    console.log(
      `  ${name.padEnd(34)}${median(values).toFixed(0).padStart(7)} ms   p95 ${percentile(values, 95).toFixed(0).padStart(5)} ms`,
    );
  console.log('\nby hand (the floor)');
  for (const step of [...STEPS, 'total', 'byte'] as const) {
    row(
      step === 'byte' ? FIRST_BYTE : step,
      floor.map((round) => round[step]),
    );
  }
  console.log('Innkeeper');
  for (const step of ['account', 'domain', 'total', 'byte'] as const) {
    row(
      step === 'total' ? 'total' : step === 'byte' ? FIRST_BYTE : `POST /${step}s to synced`,
      api.map((round) => round[step]),
    );
  }
  const ours = median(api.map((round) => round.total));
  const whole = median(floor.map((round) => round.total));
  console.log(`ratio of the medians: ${(ours / whole).toFixed(2)} (goal: at most 1.50)`);
}

function printDrivers(
  before: Awaited<ReturnType<typeof driverSeconds>>,
  after: Awaited<ReturnType<typeof driverSeconds>>,
  rounds: number,
): void {
  console.log('drivers, for an account and its domain (two passes)');
  for (const [driver, { seconds }] of after) {
    const ms = ((seconds - (before.get(driver)?.seconds ?? 0)) * 1_000) / rounds;
    console.log(`  ${driver.padEnd(34)}${ms.toFixed(1).padStart(7)} ms`);
  }
}

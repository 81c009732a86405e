import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import {
  type Box,
  type HostingServer,
  type Installation,
  removeInstallation,
  startInstallation,
  waitUntil,
} from '@innkeeper/testkit';
import { buildBundles } from '../build.ts';
import { type ApiClient, createApiClient } from './node/api-client.ts';
import {
  agentMemory,
  agentMetric,
  agentMostMemory,
  phpProcesses,
  readyAgain,
  serves,
} from './node/server-facts.ts';
import { median, percentile } from './statistics.ts';

const ROOT = join(import.meta.dirname, '../..');
const FEW = 50;
const DOMAINS_EACH = 2;
const AT_ONCE = 24;
/** PHP stops after this idle time. */
const PHP_IDLE_MS = 10_000;
/** After this time the rest of a change is done (nginx workers that end, a report). */
const REST_MS = 1_000;

/** A control plane with one hosting server. */
interface Bench {
  readonly installation: Installation;
  readonly server: HostingServer;
  readonly client: ApiClient;
}

interface Costs {
  account: number[];
  domain: number[];
}

/**
 * Measures the capacity of one hosting server: the cost of one more account (POST to `synced`) and of one more domain
 * (POST until its page is served) with 50 accounts and with `accounts`, two domains each; then memory and restart of
 * the agent that has many, and its sweep of their disk usage. The small server is the floor of the large one. They are
 * measured alternately, so that other load of the machine affects both. With `keep` both stay for inspection, until the
 * next start of this benchmark.
 */
export async function benchNode(rounds: number, accounts: number, keep: boolean): Promise<void> {
  console.log(`node: ${FEW} and ${accounts} accounts with ${DOMAINS_EACH} domains each, ${rounds} rounds`);
  await buildBundles();
  const stateDirs = [join(ROOT, '.run-bench-few'), join(ROOT, '.run-bench')] as const;
  for (const stateDir of stateDirs) await removeInstallation(stateDir);
  try {
    const [few, many] = [await start(stateDirs[0]), await start(stateDirs[1])];
    await fill(few.client, FEW);
    await fill(many.client, accounts);
    const costs = await measureInTurns(few, many, rounds);
    printCosts('account', costs.few.account, costs.many.account);
    printCosts('domain', costs.few.domain, costs.many.domain);
    await printServer(many);
  } finally {
    if (keep)
      console.log(
        `The servers stay (--keep), their state in ${stateDirs.join(' and ')}, until this benchmark starts again.`,
      );
    else for (const stateDir of stateDirs) await removeInstallation(stateDir);
  }
}

async function start(stateDir: string): Promise<Bench> {
  const installation = await startInstallation({ stateDir, rateLimit: 0 });
  const server = await installation.addHostingServer('bench1');
  await setAgent(server.box, { INNKEEPER_PHP_IDLE_MS: PHP_IDLE_MS });
  return { installation, server, client: createApiClient(installation) };
}

async function setAgent(box: Box, settings: Readonly<Record<string, number>>): Promise<void> {
  const lines = Object.entries(settings).map(([name, value]) => `${name}=${value}`);
  await box.require(['sh', '-c', `printf '%s\\n' ${lines.join(' ')} >>/etc/innkeeper/agent.conf`]);
  await restartAgent(box);
}

/** Creates this many accounts with their domains. */
async function fill(client: ApiClient, accounts: number): Promise<void> {
  let next = 0;
  let made = 0;
  const worker = async (): Promise<void> => {
    while (next < accounts) {
      const number = next;
      next += 1;
      const id = await client.createAccount(`user${number}`);
      for (let domain = 0; domain < DOMAINS_EACH; domain += 1)
        await client.createDomain(id, `site${domain}.user${number}.com`);
      made += 1;
      if (made % 250 === 0) console.log(`  ${made} accounts`);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
}

async function measureInTurns(few: Bench, many: Bench, rounds: number): Promise<{ few: Costs; many: Costs }> {
  const costs = { few: { account: [], domain: [] } as Costs, many: { account: [], domain: [] } as Costs };
  // The first round is a warm-up for all later ones.
  for (let round = 0; round <= rounds; round += 1) {
    const turns = [
      { bench: few, into: costs.few },
      { bench: many, into: costs.many },
    ];
    for (const { bench, into } of round % 2 === 0 ? turns : turns.toReversed()) {
      const { account, domain } = await measure(bench, round);
      if (round === 0) continue;
      into.account.push(account);
      into.domain.push(domain);
    }
  }
  return costs;
}

/** Returns the ms for one more account, and for one more domain of it. */
async function measure(
  { client, server }: Bench,
  round: number,
): Promise<{ account: number; domain: number }> {
  await delay(REST_MS);
  const account = await timed(() => client.createAccount(`more${round}`));
  await delay(REST_MS);
  const host = `more${round}.com`;
  const domain = await timed(async () => {
    await client.createDomain(account.result, host);
    await waitUntil(`a page of ${host}`, () => serves(server.box.address, host), { everyMs: 5 });
  });
  return { account: account.ms, domain: domain.ms };
}

async function timed<T>(work: () => Promise<T>): Promise<{ result: T; ms: number }> {
  const startedAt = performance.now();
  const result = await work();
  return { result, ms: performance.now() - startedAt };
}

function printCosts(what: string, few: readonly number[], many: readonly number[]): void {
  const row = (name: string, values: readonly number[]) =>
    console.log(
      `  ${name.padEnd(34)}${median(values).toFixed(0).padStart(7)} ms   p95 ${percentile(values, 95).toFixed(0).padStart(5)} ms`,
    );
  console.log(`\none more ${what}`);
  row('with few', few);
  row('with many', many);
  console.log(`  ratio of the medians: ${(median(many) / median(few)).toFixed(2)} (goal: at most 1.50)`);
}

async function printServer({ server: { box }, installation }: Bench): Promise<void> {
  console.log(`\nthe server with many (${installation.baseUrl})`);
  const idle = await waitUntil('PHP to be idle', async () => (await phpProcesses(box)) === 0 || undefined, {
    timeoutMs: 90_000,
  }).catch(() => false);
  console.log(
    `  processes of idle PHP             ${idle === true ? '0' : `${await phpProcesses(box)} MISSED`} (goal: 0)`,
  );
  console.log(`  agent, resident memory            ${await agentMemory(box)} MB (goal: at most 200)`);
  console.log(`  the most that it had so far       ${await agentMostMemory(box)} MB`);
  const { ms } = await timed(() => restartAgent(box));
  const changes = await agentMetric(box, 'innkeeper_agent_node_changes_total');
  console.log(`  restart to the last account seen  ${(ms / 1_000).toFixed(1)} s (goal: at most 60)`);
  console.log(`  changes made by it                ${changes} (goal: 0)`);
  console.log(`  agent, resident memory after it   ${await agentMemory(box)} MB (goal: at most 200)`);
  const fromDisk = await sweepSeconds(box);
  await restartAgent(box);
  const fromMemory = await sweepSeconds(box);
  console.log(
    `  disk of every account measured    ${fromMemory.toFixed(1)} s, one program at a time (goal: under 5)`,
  );
  console.log(`  the same, with less of it cached  ${fromDisk.toFixed(1)} s`);
}

async function restartAgent(box: Box): Promise<void> {
  await box.require(['systemctl', 'restart', 'innkeeper-agent']);
  await readyAgain(box);
}

/** Returns the duration of the first sweep after a start, in s. */
async function sweepSeconds(box: Box): Promise<number> {
  await waitUntil(
    'the first sweep of the disk',
    async () => (await agentMetric(box, 'innkeeper_agent_disk_unmeasured_accounts')) === 0 || undefined,
    { timeoutMs: 120_000, everyMs: 1_000 },
  );
  return await agentMetric(box, 'innkeeper_agent_disk_sweep_seconds');
}

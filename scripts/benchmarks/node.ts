import { join } from 'node:path';
import {
  type Box,
  type HostingServer,
  type Installation,
  removeInstallation,
  startInstallation,
  waitUntil,
} from '@innkeeper/testkit';
import { buildBundles } from '../build.ts';
import { createClient, type PanelClient } from './node/panel-client.ts';
import { agentMemory, agentMetric, phpProcesses, readyAgain, serves } from './node/server-facts.ts';
import { median, percentile } from './statistics.ts';

const STATE_DIR = join(import.meta.dirname, '../../.run-bench');
const FEW = 50;
const DOMAINS_EACH = 2;
const AT_ONCE = 24;
/** PHP without requests for so long is stopped. */
const PHP_IDLE_MS = 10_000;

interface Costs {
  account: number[];
  domain: number[];
}

/**
 * What one hosting server bears: the cost of one more account (POST to `synced`) and of one more domain (POST until
 * its page is served) with 50 accounts and with `accounts`, two domains each; then memory and restart of its agent,
 * which has all of them, and its sweep of their disk. The small server is the floor of the large one. With `keep` the
 * full server stays for a closer look, until the next start of this benchmark.
 */
export async function benchNode(rounds: number, accounts: number, keep: boolean): Promise<void> {
  console.log(`node: ${FEW} and ${accounts} accounts with ${DOMAINS_EACH} domains each, ${rounds} rounds`);
  await buildBundles();
  await removeInstallation(STATE_DIR);
  const installation = await startInstallation({ stateDir: STATE_DIR, rateLimit: 0 });
  try {
    const server = await installation.addHostingServer('bench1');
    await setAgent(server.box, { INNKEEPER_PHP_IDLE_MS: PHP_IDLE_MS });
    const client = createClient(installation);

    await fill(client, 0, FEW);
    const few = await measure(client, server, rounds, 'few');
    await fill(client, FEW, accounts);
    const many = await measure(client, server, rounds, 'many');

    printCosts('account', few.account, many.account);
    printCosts('domain', few.domain, many.domain);
    await printServer(server, installation);
  } finally {
    if (keep)
      console.log(
        `The server stays (--keep), its state below ${STATE_DIR}, until this benchmark starts again.`,
      );
    else await removeInstallation(STATE_DIR);
  }
}

async function setAgent(box: Box, settings: Readonly<Record<string, number>>): Promise<void> {
  const lines = Object.entries(settings).map(([name, value]) => `${name}=${value}`);
  await box.require(['sh', '-c', `printf '%s\\n' ${lines.join(' ')} >>/etc/innkeeper/agent.conf`]);
  await restartAgent(box);
}

/** Accounts `from` to `to` with their domains. */
async function fill(client: PanelClient, from: number, to: number): Promise<void> {
  let next = from;
  let made = from;
  const worker = async (): Promise<void> => {
    while (next < to) {
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

async function measure(
  client: PanelClient,
  server: HostingServer,
  rounds: number,
  name: string,
): Promise<Costs> {
  const costs: Costs = { account: [], domain: [] };
  for (let round = 0; round <= rounds; round += 1) {
    const account = await timed(() => client.createAccount(`${name}${round}`));
    const host = `${name}${round}.com`;
    const domain = await timed(async () => {
      await client.createDomain(account.result, host);
      await waitUntil(`a page of ${host}`, () => serves(server.box.address, host), { everyMs: 5 });
    });
    // The first warms up what every later one finds warm.
    if (round === 0) continue;
    costs.account.push(account.ms);
    costs.domain.push(domain.ms);
  }
  return costs;
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

async function printServer({ box }: HostingServer, { baseUrl }: Installation): Promise<void> {
  console.log(`\nthe server with many (${baseUrl})`);
  const idle = await waitUntil('PHP to be idle', async () => (await phpProcesses(box)) === 0 || undefined, {
    timeoutMs: 90_000,
  }).catch(() => false);
  console.log(
    `  processes of idle PHP             ${idle === true ? '0' : `${await phpProcesses(box)} MISSED`} (goal: 0)`,
  );
  console.log(`  agent, resident memory            ${await agentMemory(box)} MB (goal: at most 200)`);
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

/** How long the first sweep after a start takes. */
async function sweepSeconds(box: Box): Promise<number> {
  await waitUntil(
    'the first sweep of the disk',
    async () => (await agentMetric(box, 'innkeeper_agent_disk_unmeasured_accounts')) === 0 || undefined,
    { timeoutMs: 120_000, everyMs: 1_000 },
  );
  return await agentMetric(box, 'innkeeper_agent_disk_sweep_seconds');
}

import { request } from 'node:http';
import { type AgentStatus, agentStatusSchema } from '../status/agent-status.ts';

export interface StatusOptions {
  /** Unix socket of the running agent. */
  socket: string;
  json: boolean;
  /** Time to wait until the agent is ready, in seconds. 0: check once. */
  waitSeconds: number;
  write: (text: string) => void;
}

const BETWEEN_QUESTIONS_MS = 200;

/** Prints the running agent's state. Returns 0 when it is ready, 1 when it is not, 3 when it does not answer. */
export async function showStatus(options: StatusOptions): Promise<number> {
  const deadline = performance.now() + options.waitSeconds * 1_000;
  let status = await ask(options.socket);
  while (status?.ready !== true && performance.now() < deadline) {
    await new Promise((resolve) => setTimeout(resolve, BETWEEN_QUESTIONS_MS));
    status = await ask(options.socket);
  }
  if (status === undefined) {
    options.write(
      `No agent answers at ${options.socket}. For the reason run: systemctl status innkeeper-agent\n`,
    );
    return 3;
  }
  options.write(options.json ? `${JSON.stringify(status, null, 2)}\n` : describe(status));
  return status.ready ? 0 : 1;
}

async function ask(socketPath: string): Promise<AgentStatus | undefined> {
  try {
    const chunks: Buffer[] = [];
    await new Promise((resolve, reject) => {
      const options = { socketPath, path: '/status', agent: false, signal: AbortSignal.timeout(5_000) };
      const outgoing = request(options, (response) => {
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', resolve);
        response.on('error', reject);
      });
      outgoing.on('error', reject);
      outgoing.end();
    });
    return agentStatusSchema.parse(JSON.parse(Buffer.concat(chunks).toString('utf8')));
  } catch {
    return undefined;
  }
}

function describe(status: AgentStatus): string {
  const { accounts, queue } = status;
  const counted = (['applied', 'failed', 'progressing', 'absent', 'unknown'] as const)
    .filter((outcome) => accounts[outcome] > 0)
    .map((outcome) => `${accounts[outcome]} ${outcome}`);
  const lines = [
    `innkeeper-agent ${status.version}: ${status.ready ? 'ready' : 'not ready'}`,
    ...status.reasons.map((reason) => `  ${reason}`),
    `  accounts    ${accounts.total}${counted.length > 0 ? ` (${counted.join(', ')})` : ''}`,
    `  queue       ${queue.waiting} waiting, ${queue.running} under way, ${status.reports_unsent} reports unsent`,
    `  last pull   ${status.last_pull_at ?? 'never'}`,
  ];
  if (status.ledger_quarantined > 0)
    lines.push(`  ledger      ${status.ledger_quarantined} files were set aside as damaged`);
  for (const { account_id, generation, outcome, conditions } of status.troubled)
    lines.push(`  account ${account_id} (generation ${generation}) ${outcome}: ${conditions.join(', ')}`);
  return `${lines.join('\n')}\n`;
}

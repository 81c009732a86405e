import { request } from 'node:http';
import type { Box } from '@innkeeper/testkit';

/** Returns whether a hosting server answers for a name with a page. */
export async function serves(address: string, host: string): Promise<boolean> {
  return await new Promise((resolve) => {
    const call = request({ host: address, port: 80, headers: { host }, agent: false }, (response) => {
      response.resume();
      response.on('end', () => resolve(response.statusCode === 200));
      response.on('error', () => resolve(false));
    });
    call.on('error', () => resolve(false));
    call.end();
  });
}

/** Resolves once the agent has checked every account since its start. */
export async function readyAgain(box: Box): Promise<void> {
  await box.require(['innkeeper-agent', 'status', '--wait', '600'], { timeoutMs: 620_000 });
}

export async function agentMetric(box: Box, name: string): Promise<number> {
  const text = await box.require(['curl', '-fsS', 'http://127.0.0.1:9465/metrics']);
  const lines = text.split('\n').filter((line) => line.startsWith(`${name} `) || line.startsWith(`${name}{`));
  return lines.reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' ') + 1)), 0);
}

/**
 * Returns the memory in MiB of the agent and of its launcher process, without the programs that the launcher starts.
 */
export async function agentMemory(box: Box): Promise<number> {
  const pid = await agentPid(box);
  const sizes = await box.require(['ps', '-o', 'rss=', '-p', pid, '--ppid', pid]);
  const kib = sizes.trim().split(/\s+/).map(Number);
  return Math.round(kib.reduce((sum, size) => sum + size, 0) / 1_024);
}

/** Returns the peak memory in MiB of the agent alone since its start. */
export async function agentMostMemory(box: Box): Promise<number> {
  const status = await box.readFile(`/proc/${await agentPid(box)}/status`);
  return Math.round(Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1]) / 1_024);
}

async function agentPid(box: Box): Promise<string> {
  return (await box.require(['systemctl', 'show', '-P', 'MainPID', 'innkeeper-agent'])).trim();
}

/** Returns the number of PHP processes that run as an account. */
export async function phpProcesses(box: Box): Promise<number> {
  const { stdout } = await box.exec(['sh', '-c', "ps -eo uid,comm | awk '$1 >= 20000 && /php-fpm/' | wc -l"]);
  return Number(stdout.trim());
}

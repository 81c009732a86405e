import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { findDaemon, startDaemon, stopDaemon } from '../processes/daemon.ts';
import type { StateDir } from '../processes/state-dir.ts';
import { unprivileged } from '../processes/unprivileged.ts';
import { waitUntil } from '../processes/wait-until.ts';
import { hashFiles, readMark } from './programs.ts';
import { SYSTEM_USER } from './settings.ts';

const NAME = 'api';

/** The process of the API. It runs as the system user, without capabilities. */
export interface ApiProcess {
  logFile: string;
  /**
   * Starts the API if it is not running, and restarts it if its bundle or settings have changed. Resolves when it
   * answers.
   */
  start(): Promise<void>;
  /** Stops it after it has finished its requests. Kills it after 20 s. */
  stop(): Promise<void>;
  /** Sends a signal and waits until the process has ended. */
  kill(signal: NodeJS.Signals): Promise<void>;
}

export function createApiProcess(state: StateDir, origin: string): ApiProcess {
  const pids = join(state.path, 'pids');
  const bin = join(state.path, 'bin');
  const settings = join(state.path, 'api.conf');
  const bundle = join(bin, 'innkeeper-api.mjs');
  const mark = join(pids, 'api.started-from');
  const logFile = join(state.path, 'log/api.log');
  const stop = async () => void (await stopDaemon(pids, NAME, 20_000));

  return {
    logFile,
    start: async () => {
      const startedFrom = await hashFiles([bundle, settings]);
      if ((await readMark(mark)) !== startedFrom) await stop();
      if ((await findDaemon(pids, NAME)) === undefined) {
        const argv = unprivileged(SYSTEM_USER, [join(bin, 'node'), `--env-file=${settings}`, bundle]);
        await startDaemon({ recordDir: pids, name: NAME, logFile, argv });
        await writeFile(mark, startedFrom);
      }
      await waitUntil(
        `the API on ${origin} (its log: ${logFile})`,
        async () => await answers(state, origin),
        {
          timeoutMs: 30_000,
          everyMs: 50,
        },
      );
    },
    stop,
    kill: async (signal) => {
      const pid = await findDaemon(pids, NAME);
      if (pid === undefined) return;
      process.kill(pid, signal);
      await waitUntil('the end of the API', async () => (await findDaemon(pids, NAME)) === undefined);
    },
  };
}

async function answers(state: StateDir, origin: string): Promise<boolean> {
  if ((await findDaemon(join(state.path, 'pids'), NAME)) === undefined) throw new Error('it ended at once');
  const response = await fetch(`${origin}/api/v1/health`, { signal: AbortSignal.timeout(2_000) });
  return response.ok;
}

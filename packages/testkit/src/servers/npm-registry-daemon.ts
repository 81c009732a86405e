import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { findDaemon, startDaemon, stopDaemon } from '../processes/daemon.ts';
import { freePort } from '../processes/port.ts';
import type { StateDir } from '../processes/state-dir.ts';
import { waitUntil } from '../processes/wait-until.ts';

/** An npm registry that keeps running after the process that started it has ended. */
export interface LastingRegistry {
  /** `http://address:port/` */
  url: string;
  /** Why it has no packages: this machine does not reach the registry behind it. Undefined if it has. */
  missing: string | undefined;
}

const NAME = 'npm-registry';
const PROGRAM = join(import.meta.dirname, 'npm-registry-program.ts');
/** Any package that exists and is small. */
const SMALL_PACKAGE = 'is-number';
/** What may lead to the registry behind this one: settings of npm, proxies and certificate authorities. */
const PASSED_ON = /^(?:HOME|npm_config_.*|(?:https?|no)_proxy|NODE_USE_ENV_PROXY|NODE_EXTRA_CA_CERTS)$/i;

/**
 * Starts the registry of a state folder (see npm-registry.ts) unless it runs. It keeps its port while the folder exists,
 * because the settings of hosting servers contain it. Its log is `<state>/log/npm-registry.log`.
 */
export async function startLastingRegistry(state: StateDir, address: string): Promise<LastingRegistry> {
  const port = await ownPort(state, address);
  const url = `http://${address}:${port}/`;
  const logFile = join(state.path, `log/${NAME}.log`);
  if ((await findDaemon(recordDir(state), NAME)) === undefined)
    await startDaemon({
      recordDir: recordDir(state),
      name: NAME,
      argv: [process.execPath, PROGRAM, address, String(port)],
      env: Object.fromEntries(
        Object.entries(process.env).flatMap(([name, value]) =>
          value !== undefined && PASSED_ON.test(name) ? [[name, value]] : [],
        ),
      ),
      logFile,
    });
  const status = await waitUntil(
    `the npm registry (its log: ${state.dir}/log/${NAME}.log)`,
    async () => {
      if ((await findDaemon(recordDir(state), NAME)) === undefined) throw new Error('it ended at once');
      const answer = await fetch(url + SMALL_PACKAGE).catch(() => undefined);
      await answer?.body?.cancel();
      return answer?.status;
    },
    { timeoutMs: 60_000 },
  );
  const missing =
    status === 200 ? undefined : `the npm registry of this machine does not answer (${logFile})`;
  return { url, missing };
}

export async function stopLastingRegistry(state: StateDir): Promise<void> {
  await stopDaemon(recordDir(state), NAME);
}

async function ownPort(state: StateDir, address: string): Promise<number> {
  const file = join(state.path, 'npm-registry-port');
  const kept = await readFile(file, 'utf8').catch(() => undefined);
  if (kept !== undefined) return Number(kept);
  const port = await freePort(address);
  await writeFile(file, String(port));
  return port;
}

const recordDir = (state: StateDir) => join(state.path, 'pids');

import { readdir, readFile, readlink, stat } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import type { LogWriter } from '../capabilities/traffic/traffic-log.ts';
import type { Changes } from './changes.ts';
import { coalesce } from './coalesce.ts';
import { HostError } from './host-error.ts';

const PID_FILE = '/run/nginx.pid';
const RELOAD_DEADLINE_MS = 20_000;
const POLL_MS = 5;
/** Process title of a worker that is not shutting down. nginx shows this state nowhere else, and only in English. */
const SERVING = /^nginx: worker process$/;

/**
 * Reloads the configuration of the running nginx, and waits until only the new one is served: at least one new worker
 * runs, and every old worker is shutting down (nginx lets old and new workers accept connections concurrently for 100
 * ms). Throws HostError when nginx ends or keeps its old workers.
 */
export async function reloadNginx(master: number, changes: Changes): Promise<void> {
  const before = new Set(await servingWorkers(master));
  process.kill(master, 'SIGHUP');
  changes.record();
  const deadline = performance.now() + RELOAD_DEADLINE_MS;
  for (;;) {
    const now = await servingWorkers(master);
    if (now.length > 0 && now.every((pid) => !before.has(pid))) return;
    if ((await findNginxMaster()) !== master)
      throw new HostError('Failed', 'nginx ended while it was to read its new configuration.');
    if (performance.now() > deadline)
      throw new HostError('Failed', 'nginx has not taken its new configuration; its error log says why.');
    await delay(POLL_MS);
  }
}

/** Returns the pid of nginx's master process. Undefined while nginx does not run. Concurrent calls share the result. */
export function findNginxMaster(): Promise<number | undefined> {
  return askForMaster();
}

const askForMaster = coalesce<void, number | undefined>(async (requests) => {
  const master = await readMaster();
  for (const { resolve } of requests) resolve(master);
});

async function readMaster(): Promise<number | undefined> {
  const pid = Number((await readOr(PID_FILE, '')).trim());
  if (!Number.isSafeInteger(pid) || pid <= 1) return undefined;
  return (await readOr(`/proc/${pid}/cmdline`, '')).startsWith('nginx: master process') ? pid : undefined;
}

/** Workers that accept connections. */
async function servingWorkers(master: number): Promise<number[]> {
  return (await workerTitles(master)).filter(([, title]) => SERVING.test(title)).map(([pid]) => pid);
}

async function workerTitles(master: number): Promise<[pid: number, title: string][]> {
  const children = (await readOr(`/proc/${master}/task/${master}/children`, '')).trim();
  const pids = children === '' ? [] : children.split(' ').map(Number);
  const titles = await Promise.all(pids.map((pid) => readOr(`/proc/${pid}/cmdline`, '')));
  return pids.flatMap((pid, at) => {
    const title = titles[at]!.replace(/[\0\s]+$/, '');
    return title.startsWith('nginx: worker process') ? [[pid, title]] : [];
  });
}

/** nginx as the writer of its logs. */
export const nginxLogs: LogWriter = {
  async openLogFiles(folder) {
    const master = await findNginxMaster();
    // The master is read first: a worker created later has only files that its master has.
    const open = new Map(master === undefined ? [] : await openFiles(`${master}`, folder));
    // Not only the master's children: after an upgrade of nginx, workers of the old master keep running.
    for (const pid of (await readdir('/proc')).filter((name) => /^\d+$/.test(name)))
      if ((await readOr(`/proc/${pid}/comm`, '')).trim() === 'nginx')
        for (const [id, path] of await openFiles(pid, folder)) open.set(id, path);
    return open;
  },

  async reopen() {
    const master = await findNginxMaster();
    if (master !== undefined) process.kill(master, 'SIGUSR1');
  },
};

async function openFiles(pid: string, folder: string): Promise<[id: string, path: string][]> {
  const found: [string, string][] = [];
  for (const descriptor of await unlessGone(readdir(`/proc/${pid}/fd`), [])) {
    const path = `/proc/${pid}/fd/${descriptor}`;
    if (!(await unlessGone(readlink(path), '')).startsWith(`${folder}/`)) continue;
    const stats = await unlessGone(stat(path, { bigint: true }), undefined);
    if (stats !== undefined) found.push([`${stats.dev}:${stats.ino}`, path]);
  }
  return found;
}

async function readOr(path: string, otherwise: string): Promise<string> {
  return await unlessGone(readFile(path, 'latin1'), otherwise);
}

/** For reads from a process that may have ended meanwhile. */
async function unlessGone<T>(reading: Promise<T>, otherwise: T): Promise<T> {
  try {
    return await reading;
  } catch (error) {
    if (['ENOENT', 'ESRCH'].includes((error as NodeJS.ErrnoException).code ?? '')) return otherwise;
    throw error;
  }
}

import { existsSync } from 'node:fs';
import { mkdir, readdir, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Changes } from '../../node/changes.ts';
import { syncFolder, writeSynced } from '../../node/durable-files.ts';
import type { Exec } from '../../node/exec.ts';
import { type Lists, listNames } from './nginx-lists.ts';

/**
 * A test without side effects: a folder of links to all of /etc/nginx, with the lists under test in place of the live
 * ones. nginx resolves relative includes against the folder of the configuration that it is given, and our static
 * blocks include the lists by relative paths.
 */
const NGINX_FOLDER = '/etc/nginx';
export const LIVE_FOLDER = '/etc/nginx/innkeeper/live';
/** Beside the live folder, so that its files can be renamed into place. */
const CANDIDATE_FOLDER = '/etc/nginx/innkeeper/candidate';
const TEST_FOLDER = '/run/innkeeper/nginx-test';
const TEST_TIMEOUT_MS = 60_000;

export interface NginxTest {
  readonly passed: boolean;
  /** nginx's own error message. */
  readonly message: string;
  /** Names that a foreign server block claims too. */
  readonly conflicting: readonly string[];
}

/**
 * When two servers claim a name, nginx prints this warning and serves the first: there is no other signal. nginx's
 * messages are not translated, and this wording has not changed since version 0.6.
 */
const CONFLICTING = /\[warn\] .*conflicting server name "([^"]+)"/g;

/** Lets nginx test its whole configuration with these lists instead of the live ones. */
export async function testLists(exec: Exec, lists: Lists): Promise<NginxTest> {
  const folder = join(TEST_FOLDER, 'innkeeper/live');
  await rm(TEST_FOLDER, { recursive: true, force: true });
  await mkdir(folder, { recursive: true, mode: 0o755 });
  await linkAll(NGINX_FOLDER, TEST_FOLDER, 'innkeeper');
  await linkAll(join(NGINX_FOLDER, 'innkeeper'), join(TEST_FOLDER, 'innkeeper'), 'live');
  await Promise.all(listNames.map((name) => writeFile(join(folder, name), lists[name])));
  return testConfiguration(exec, join(TEST_FOLDER, 'nginx.conf'));
}

/** Writes the lists that differ into the live folder, each one atomically. */
export async function writeLive(lists: Lists, live: Lists, changes: Changes): Promise<void> {
  const names = listNames.filter((name) => lists[name] !== live[name]);
  await rm(CANDIDATE_FOLDER, { recursive: true, force: true });
  await mkdir(CANDIDATE_FOLDER, { mode: 0o755 });
  if (!existsSync(LIVE_FOLDER)) await mkdir(LIVE_FOLDER, { mode: 0o755 });
  await Promise.all(
    names.map((name) => writeSynced(join(CANDIDATE_FOLDER, name), lists[name], { mode: 0o644, gid: 0 })),
  );
  for (const name of names) {
    await rename(join(CANDIDATE_FOLDER, name), join(LIVE_FOLDER, name));
    changes.record();
  }
  await syncFolder(LIVE_FOLDER);
}

/** Tests a configuration file; the live one by default. */
export async function testConfiguration(
  exec: Exec,
  path = join(NGINX_FOLDER, 'nginx.conf'),
): Promise<NginxTest> {
  const { exitCode, stderr } = await exec.run('/usr/sbin/nginx', ['-t', '-q', '-c', path], {
    accept: [0, 1],
    timeoutMs: TEST_TIMEOUT_MS,
  });
  const conflicting = [...stderr.matchAll(CONFLICTING)].map(([, name]) => name!);
  const message = /\[(?:emerg|crit|alert|error)\] (.*)/.exec(stderr)?.[1] ?? stderr.trim().slice(-500);
  return { passed: exitCode === 0, message, conflicting: [...new Set(conflicting)] };
}

async function linkAll(from: string, to: string, except: string): Promise<void> {
  const names = (await readdir(from)).filter((name) => name !== except);
  await Promise.all(names.map((name) => symlink(join(from, name), join(to, name))));
}

import { lstatSync } from 'node:fs';
import type { Exec } from '../../node/exec.ts';

const FOLDER = '/etc/nginx';
const WATCHED = ['', 'nginx.conf', 'conf.d', 'sites-enabled', 'modules-enabled', 'innkeeper'];
const TIMEOUT_MS = 60_000;
/** A file that was changed in its place shows in no folder. */
const EVERY_MS = 60_000;

/** Lets nginx test its configuration. An operator's mistake shows before nginx is started the next time. */
export class ConfigurationTest {
  readonly #exec: Exec;
  readonly #now: () => number;
  #last: { readonly fault: string | undefined; readonly identity: string; readonly at: number } | undefined;

  constructor(exec: Exec, now: () => number) {
    this.#exec = exec;
    this.#now = now;
  }

  /** Returns nginx's own message if it refuses its configuration. */
  async run(): Promise<string | undefined> {
    const identity = identityOfFolders();
    const { exitCode, stderr } = await this.#exec.run('/usr/sbin/nginx', ['-t', '-q'], {
      accept: [0, 1],
      timeoutMs: TIMEOUT_MS,
    });
    const message = /\[(?:emerg|crit|alert|error)\] (.*)/.exec(stderr)?.[1] ?? stderr.trim().slice(-500);
    const fault = exitCode === 0 ? undefined : message;
    this.#last = { fault, identity, at: this.#now() };
    return fault;
  }

  /** The result of the last test. Tests again if something may have changed. */
  async current(): Promise<string | undefined> {
    const last = this.#last;
    if (last === undefined || last.fault !== undefined || this.#now() - last.at > EVERY_MS) return this.run();
    return last.identity === identityOfFolders() ? undefined : this.run();
  }
}

function identityOfFolders(): string {
  return WATCHED.map((name) => {
    const stats = lstatSync(`${FOLDER}/${name}`, { bigint: true, throwIfNoEntry: false });
    return stats === undefined ? '' : `${stats.ino}:${stats.mtimeNs}`;
  }).join();
}

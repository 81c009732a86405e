import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { assertAccountUid, assertOwner } from './account-uid.ts';
import type { Exec } from './exec.ts';
import type { Owner, Processes } from './host.ts';
import { HostError } from './host-error.ts';

/**
 * Processes by uid. The kill is done three ways at once, because each alone can be outrun: the slice's
 * cgroup.kill (all of it at once, respawners included), kill(-1) by a child of that uid (all of the uid
 * wherever they are, in one system call), and a look through /proc as the proof. A process that is dead
 * and only waits for its parent (a zombie) runs nothing and is not counted.
 */
const KILL_DEADLINE_MS = 5_000;
const LOOK_EVERY_MS = 20;
const READ_AT_ONCE = 64;

export class ProcFs implements Processes {
  readonly #exec: Exec;
  readonly #killSlice: (uid: number) => Promise<void>;

  constructor(exec: Exec, killSlice: (uid: number) => Promise<void>) {
    this.#exec = exec;
    this.#killSlice = killSlice;
  }

  async of(uid: number): Promise<number[]> {
    assertAccountUid(uid);
    const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number);
    const found: number[] = [];
    for (let from = 0; from < pids.length; from += READ_AT_ONCE) {
      const some = pids.slice(from, from + READ_AT_ONCE);
      const owned = await Promise.all(some.map((pid) => isOwnedBy(pid, uid)));
      found.push(...some.filter((_, at) => owned[at]));
    }
    return found;
  }

  async kill(owner: Owner): Promise<void> {
    assertOwner(owner);
    const deadline = performance.now() + KILL_DEADLINE_MS;
    for (;;) {
      await this.#killSlice(owner.uid);
      // Exit code 1: there was none to kill.
      await this.#exec.change('/usr/bin/kill', ['-KILL', '--', '-1'], { as: owner.uid, accept: [0, 1] });
      const left = await this.of(owner.uid);
      if (left.length === 0) return;
      if (performance.now() > deadline)
        throw new HostError(
          'Failed',
          `${left.length} processes of ${owner.name} live on: ${left.slice(0, 5)}.`,
        );
      await delay(LOOK_EVERY_MS);
    }
  }
}

async function isOwnedBy(pid: number, uid: number): Promise<boolean> {
  try {
    const status = await readFile(`/proc/${pid}/status`, 'latin1');
    const uids = /^Uid:\t(.+)$/m.exec(status)?.[1]?.split('\t') ?? [];
    return uids.includes(`${uid}`) && !/^State:\tZ/m.test(status);
  } catch (error) {
    if (['ENOENT', 'ESRCH'].includes((error as NodeJS.ErrnoException).code ?? '')) return false;
    throw error;
  }
}

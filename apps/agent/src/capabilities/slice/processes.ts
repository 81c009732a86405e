import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import type { AccountChild } from '../../node/account-child.ts';
import { HostError } from '../../node/host-error.ts';
import { assertAccountUid, type Owner } from '../../node/owner.ts';
import { stepSignal } from '../../node/step-signal.ts';
import { left, type Trace, type Traced } from '../../node/trace.ts';
import type { Processes } from './host.ts';

/**
 * Processes by uid. The kill uses three ways at once, because processes can escape each one alone:
 * - the slice's cgroup.kill (all of it at once, including respawners)
 * - kill(-1) with that uid's rights (all processes of the uid, wherever they are, in one system call)
 * - a scan of /proc as the proof
 *
 * A zombie (dead, and waiting for its parent) runs nothing and is not counted.
 */
const KILL_DEADLINE_MS = 5_000;
const POLL_MS = 20;
const READ_AT_ONCE = 64;

export class ProcFs implements Processes, Traced {
  readonly #child: AccountChild;
  readonly #killSlice: (uid: number) => Promise<void>;

  constructor(child: AccountChild, killSlice: (uid: number) => Promise<void>) {
    this.#child = child;
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

  async strike(owner: Owner): Promise<void> {
    await this.#killSlice(owner.uid);
    await this.#child.kill(owner.uid);
  }

  async kill(owner: Owner): Promise<void> {
    const deadline = performance.now() + KILL_DEADLINE_MS;
    for (;;) {
      await this.strike(owner);
      const left = await this.of(owner.uid);
      if (left.length === 0) return;
      if (performance.now() > deadline)
        throw new HostError(
          'Failed',
          `${left.length} processes of ${owner.name} live on: ${left.slice(0, 5)}.`,
        );
      await delay(POLL_MS, undefined, { signal: stepSignal() });
    }
  }

  async traces(owner: Owner): Promise<Trace[]> {
    const pids = await this.of(owner.uid);
    return pids.map((pid) => left('process', `${pid}`));
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

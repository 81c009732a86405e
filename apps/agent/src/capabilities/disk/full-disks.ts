import { readFileSync } from 'node:fs';
import { z } from 'zod';
import type { Owner } from '../../node/owner.ts';
import { storeDurably } from '../../node/store-durably.ts';
import type { FullDisks } from './host.ts';

const MIB = 1_048_576;
/** A full account is full until it takes this part of what it may: it does not flap at its limit. */
const ENOUGH = 0.95;

const fileSchema = z.array(z.int().min(1));

/**
 * The uids stand in a file of the agent's, so that an agent that starts does not let full accounts write until it has
 * measured them. A file that is lost or damaged says that nobody is full.
 */
export class FullDisksFile implements FullDisks {
  readonly #file: string;
  readonly #full: Set<number>;

  constructor(file: string) {
    this.#file = file;
    this.#full = new Set(read(file));
  }

  isFull({ uid }: Owner): boolean {
    return this.#full.has(uid);
  }

  async note({ uid }: Owner, bytes: number, limitMb: number): Promise<boolean> {
    const was = this.#full.has(uid);
    const is = bytes > limitMb * MIB * (was ? ENOUGH : 1);
    if (is === was) return false;
    if (is) this.#full.add(uid);
    else this.#full.delete(uid);
    await this.#store();
    return true;
  }

  async keep(uids: ReadonlySet<number>): Promise<void> {
    const gone = [...this.#full].filter((uid) => !uids.has(uid));
    if (gone.length === 0) return;
    for (const uid of gone) this.#full.delete(uid);
    await this.#store();
  }

  async #store(): Promise<void> {
    await storeDurably(this.#file, `${JSON.stringify([...this.#full])}\n`);
  }
}

function read(file: string): readonly number[] {
  try {
    return fileSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    return [];
  }
}

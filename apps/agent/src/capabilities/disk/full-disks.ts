import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { storeDurably } from '../../node/durable-files.ts';
import type { Owner } from '../../node/owner.ts';
import type { FullDisks } from './host.ts';

const MIB = 1_048_576;
/**
 * A full account stays full until it uses less than this fraction of its limit. This prevents flapping at the limit.
 */
const ENOUGH = 0.95;

const fileSchema = z.array(z.int().min(1));

/**
 * The uids are stored in a file of the agent. So after a restart, full accounts cannot write before the agent has
 * measured them. A lost or damaged file means that no account is full.
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

import type { AccountSpec } from '@innkeeper/protocol';
import type { Changes } from '../../node/changes.ts';
import type { Owner } from '../../node/owner.ts';
import type { Host } from '../host.ts';

/** The mail service and the queue of a fake hosting server. */
export class FakeMail {
  readonly #settings = new Map<number, string>();
  readonly #counters = new Set<number>();
  /** Messages in the queue, by uid. */
  readonly #queue = new Map<number, { waiting: number; held: number }>();

  /** An account sends a mail that the relay does not take yet. */
  send(uid: number): void {
    this.#counters.add(uid);
    const { waiting, held } = this.#of(uid);
    this.#queue.set(uid, { waiting: waiting + 1, held });
  }

  queued(uid: number): { waiting: number; held: number } {
    return this.#of(uid);
  }

  host(changes: Changes): Pick<Host, 'mail'> {
    const move = (uid: number, queued: { waiting: number; held: number }) => {
      this.#queue.set(uid, queued);
      changes.record();
    };
    return {
      mail: {
        read: async ({ uid }) => this.#settings.get(uid),
        write: async ({ uid }, text) => {
          this.#settings.set(uid, text);
          changes.record();
        },
        remove: async ({ uid }) => {
          this.#settings.delete(uid);
          changes.record();
        },
        hasCounters: async ({ uid }) => this.#counters.has(uid),
        removeCounters: async ({ uid }) => {
          this.#counters.delete(uid);
          changes.record();
        },
        queued: async ({ uid }) => this.#of(uid),
        hold: async ({ uid }) => {
          const { waiting, held } = this.#of(uid);
          move(uid, { waiting: 0, held: waiting + held });
        },
        release: async ({ uid }) => {
          const { waiting, held } = this.#of(uid);
          move(uid, { waiting: waiting + held, held: 0 });
        },
        deleteQueued: async ({ uid }) => move(uid, { waiting: 0, held: 0 }),
      },
    };
  }

  traces({ uid }: Owner): string[] {
    const { waiting, held } = this.#of(uid);
    return [
      ...(this.#settings.has(uid) || this.#counters.has(uid) ? ['configuration'] : []),
      ...(waiting + held > 0 ? ['mail in the queue'] : []),
    ];
  }

  tamperings({ uid }: AccountSpec) {
    return {
      'limits of mail changed': () => void this.#settings.set(uid, 'per_hour 100000\n'),
      'limits of mail removed': () => void this.#settings.delete(uid),
    };
  }

  #of(uid: number): { waiting: number; held: number } {
    return this.#queue.get(uid) ?? { waiting: 0, held: 0 };
  }
}

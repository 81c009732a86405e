import type { AccountSpec } from '@innkeeper/protocol';
import type { Changes } from '../../node/changes.ts';
import type { Owner } from '../../node/owner.ts';
import type { Host } from '../host.ts';

/** Disk limits of a fake hosting server. */
export class FakeDisk {
  /** Disk limits in bytes, by uid. */
  readonly #quotas = new Map<number, number>();

  host(changes: Changes): Pick<Host, 'disk' | 'fullDisks' | 'quota'> {
    return {
      disk: { measure: async () => new Map(), measureDatabases: async () => new Map() },
      fullDisks: {
        isFull: () => false,
        note: async () => false,
        keep: async () => {},
      },
      quota: {
        isEnforced: async () => true,
        limitOf: async ({ uid }) => this.#quotas.get(uid),
        setLimit: async ({ uid }, bytes) => {
          if (bytes === undefined) this.#quotas.delete(uid);
          else this.#quotas.set(uid, bytes);
          changes.record();
        },
        stored: async () => undefined,
      },
    };
  }

  traces({ uid }: Owner): string[] {
    return this.#quotas.has(uid) ? ['disk limit'] : [];
  }

  tamperings({ uid }: AccountSpec) {
    return { 'disk limit lifted': () => void this.#quotas.delete(uid) };
  }
}

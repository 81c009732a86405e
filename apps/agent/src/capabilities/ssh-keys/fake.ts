import type { AccountSpec } from '@innkeeper/protocol';
import type { Changes } from '../../node/changes.ts';
import type { Owner } from '../../node/owner.ts';
import type { Host } from '../host.ts';

/** The files of SSH keys of a fake hosting server. */
export class FakeSshKeys {
  readonly #byUid = new Map<number, string>();

  host(changes: Changes): Pick<Host, 'sshKeys'> {
    return {
      sshKeys: {
        read: async ({ uid }) => this.#byUid.get(uid),
        hasAny: async ({ uid }) => this.#byUid.has(uid),
        write: async ({ uid }, text) => {
          this.#byUid.set(uid, text);
          changes.record();
        },
        remove: async ({ uid }) => {
          this.#byUid.delete(uid);
          changes.record();
        },
      },
    };
  }

  traces({ uid }: Owner): string[] {
    return this.#byUid.has(uid) ? ['configuration'] : [];
  }

  tamperings({ uid }: AccountSpec) {
    return {
      'SSH keys changed': () => void this.#byUid.set(uid, 'ssh-ed25519 AAAA\n'),
      'SSH keys removed': () => void this.#byUid.delete(uid),
    };
  }
}

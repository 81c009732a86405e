import { observeClaim, ownerOf } from '../claim.ts';
import type { Change, Driver } from '../driver.ts';

interface SshKeysObserved {
  readonly text: string | undefined;
  readonly isThere: boolean;
  readonly uidIsForeign: boolean;
}

interface SshKeysChange extends Change {
  readonly kind: 'write' | 'remove';
}

/**
 * The public keys that may log in. A suspended account keeps its file: its expiry refuses every login, also with a key
 * (`loginDriver`).
 */
export const sshKeysDriver: Driver<SshKeysObserved, SshKeysChange> = {
  name: 'ssh-keys',
  buildsOn: ['user'],

  async observe(spec, host) {
    const owner = ownerOf(spec);
    const [text, isThere, { uidIsForeign }] = await Promise.all([
      host.sshKeys.read(owner),
      host.sshKeys.hasAny(owner),
      observeClaim(spec, host),
    ]);
    return { text, isThere, uidIsForeign };
  },

  plan(spec, { text, isThere, uidIsForeign }) {
    if (spec.desired_state !== 'active' && uidIsForeign) return [];
    if (spec.desired_state === 'absent' || spec.ssh_keys.length === 0)
      return isThere ? [{ kind: 'remove', summary: 'take the SSH keys of the panel away' }] : [];
    return text === textOf(spec.ssh_keys)
      ? []
      : [{ kind: 'write', summary: 'write the SSH keys of the panel' }];
  },

  async apply({ kind }, spec, host) {
    const owner = ownerOf(spec);
    if (kind === 'write') await host.sshKeys.write(owner, textOf(spec.ssh_keys));
    else await host.sshKeys.remove(owner);
  },
};

const textOf = (keys: readonly string[]) => keys.map((key) => `${key}\n`).join('');

import type { SshKeyRow } from '@innkeeper/db';

export interface SshKeyView {
  id: number;
  name: string;
  /** `ssh-ed25519` */
  type: string;
  /** `SHA256:` and Base64, as `ssh-keygen -l` shows it. */
  fingerprint: string;
  created_at: Date;
}

export function sshKeyView({ id, name, public_key, fingerprint, created_at }: SshKeyRow): SshKeyView {
  return { id, name, type: public_key.split(' ', 1)[0] ?? '', fingerprint, created_at };
}

/** What the audit log keeps of a key. */
export function auditedSshKey({ name, fingerprint }: Pick<SshKeyRow, 'name' | 'fingerprint'>) {
  return { name, fingerprint };
}

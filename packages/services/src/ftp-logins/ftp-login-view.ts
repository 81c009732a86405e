import type { FtpLoginRow } from '@innkeeper/db';
import { fingerprintOf } from '../ssh-keys/fingerprint.ts';

export interface FtpLoginView {
  id: number;
  /** `alice_web` */
  name: string;
  /** Below the home. */
  folder: string;
  has_password: boolean;
  keys: {
    /** `type base64` */
    line: string;
    /** `SHA256:` and Base64, as `ssh-keygen -l` shows it. */
    fingerprint: string;
  }[];
  created_at: Date;
}

export function ftpLoginView(row: FtpLoginRow): FtpLoginView {
  return {
    id: row.id,
    name: row.name,
    folder: row.folder,
    has_password: row.password_hash !== null,
    keys: keyLinesOf(row.public_keys).map((line) => ({ line, fingerprint: fingerprintOf(line) })),
    created_at: row.created_at,
  };
}

/** The stored keys: one a line. */
export function keyLinesOf(text: string): string[] {
  return text.split('\n').filter((line) => line !== '');
}

/** What the audit log keeps of a login: fingerprints, and no hash of a password. */
export function auditedFtpLogin({
  name,
  folder,
  public_keys,
  password_hash,
}: Pick<FtpLoginRow, 'name' | 'folder' | 'public_keys' | 'password_hash'>) {
  return {
    name,
    folder,
    has_password: password_hash !== null,
    keys: keyLinesOf(public_keys).map(fingerprintOf),
  };
}

import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import type { SealingKeys } from '@innkeeper/protocol/keys';

/** Purposes of sealed values. A value that was sealed for one purpose does not open for another. */
type SealPurpose =
  | 'app-variable'
  | 'database-password'
  | 'deploy-key'
  | 'idempotency'
  | 'push-secret'
  | 'relay-password'
  | 'smtp-password'
  | 'totp-secret'
  | 'totp-set-up'
  | 'unsent-form';

/**
 * Seals secrets that must be readable again, for storage in the database. AES-256-GCM under a key derived for the
 * purpose. The sealed value contains the id of the master key, so that keys can rotate.
 */
export interface Sealer {
  /** Returns ASCII, about 60 characters longer than the text. */
  seal(purpose: SealPurpose, text: string): string;
  /** Throws if the value was not sealed with these keys for this purpose. The error message contains no part of it. */
  open(purpose: SealPurpose, sealed: string): string;
}

const IV_BYTES = 12;
const TAG_BYTES = 16;

/** `readKeys` is called once, at the first use. */
export function createSealer(readKeys: () => SealingKeys): Sealer {
  let keys: SealingKeys | undefined;
  const derived = new Map<string, Buffer>();
  const keyFor = (id: string, purpose: SealPurpose): Buffer => {
    keys ??= readKeys();
    const name = `${id}:${purpose}`;
    const known = derived.get(name);
    if (known !== undefined) return known;
    const master = keys.keys.get(id);
    if (master === undefined) throw new Error(`There is no sealing key ${id}.`);
    const key = Buffer.from(hkdfSync('sha256', master, '', `innkeeper sealing ${purpose}`, 32));
    derived.set(name, key);
    return key;
  };

  return {
    seal: (purpose, text) => {
      keys ??= readKeys();
      const iv = randomBytes(IV_BYTES);
      const cipher = createCipheriv('aes-256-gcm', keyFor(keys.currentId, purpose), iv);
      const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return `${keys.currentId}.${Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString('base64url')}`;
    },
    open: (purpose, sealed) => {
      const dot = sealed.indexOf('.');
      const bytes = Buffer.from(sealed.slice(dot + 1), 'base64url');
      const decipher = createDecipheriv(
        'aes-256-gcm',
        keyFor(sealed.slice(0, dot), purpose),
        bytes.subarray(0, IV_BYTES),
        { authTagLength: TAG_BYTES },
      );
      decipher.setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
      const text = Buffer.concat([decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES)), decipher.final()]);
      return text.toString('utf8');
    },
  };
}

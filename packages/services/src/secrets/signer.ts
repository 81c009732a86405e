import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import type { SealingKeys } from '@innkeeper/protocol/keys';

/** Purposes of signatures. A signature is valid only for its purpose. Signing keys and sealing keys differ. */
type SignPurpose = 'csrf' | 'domain-owner' | 'invitation' | 'known-browser' | 'login-link' | 'second-factor';

/**
 * Signs lists of words and verifies the signatures. HMAC-SHA256 under a key derived for the purpose. The current key
 * signs; every key that still exists verifies, so that keys can rotate while links are valid.
 */
export interface Signer {
  /** Returns 64 lowercase hexadecimal digits. The order of the words and their boundaries matter. */
  sign(purpose: SignPurpose, words: SignedWords): string;
  /** Compares with the signature of every key, each in constant time. */
  verifies(purpose: SignPurpose, words: SignedWords, signature: string): boolean;
}

/** JSON keeps words apart: different lists never have the same text. */
export type SignedWords = readonly (string | number | null)[];

/** `readKeys` is called once, at the first use. */
export function createSigner(readKeys: () => SealingKeys): Signer {
  let keys: SealingKeys | undefined;
  const derived = new Map<string, Buffer>();
  const keyFor = (id: string, master: Buffer, purpose: SignPurpose): Buffer => {
    const name = `${id}:${purpose}`;
    const key =
      derived.get(name) ?? Buffer.from(hkdfSync('sha256', master, '', `innkeeper signing ${purpose}`, 32));
    derived.set(name, key);
    return key;
  };
  const hmac = (id: string, master: Buffer, purpose: SignPurpose, words: SignedWords): Buffer =>
    createHmac('sha256', keyFor(id, master, purpose))
      .update(JSON.stringify(words))
      .digest();

  return {
    sign: (purpose, words) => {
      keys ??= readKeys();
      const master = keys.keys.get(keys.currentId);
      if (master === undefined) throw new Error(`There is no sealing key ${keys.currentId}.`);
      return hmac(keys.currentId, master, purpose, words).toString('hex');
    },
    verifies: (purpose, words, signature) => {
      keys ??= readKeys();
      if (!/^[0-9a-f]{64}$/.test(signature)) return false;
      const given = Buffer.from(signature, 'hex');
      let verified = false;
      for (const [id, master] of keys.keys)
        verified = timingSafeEqual(hmac(id, master, purpose, words), given) || verified;
      return verified;
    },
  };
}

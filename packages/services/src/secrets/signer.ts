import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import type { SealingKeys } from '@innkeeper/protocol/keys';

/** Purposes of signatures. A signature is valid only for its purpose. Signing keys and sealing keys differ. */
type SignPurpose = 'csrf' | 'domain-owner' | 'known-browser' | 'login-link' | 'second-factor';

/**
 * Proofs that these words are ours: HMAC-SHA256 under a key derived for the purpose. The current key signs;
 * every key that is still there verifies, so that keys rotate while links are under way.
 */
export interface Signer {
  /** 64 lowercase hexadecimal digits. The order of the words counts, and where each of them ends. */
  sign(purpose: SignPurpose, words: SignedWords): string;
  /** Compares with every key's signature, each in constant time. */
  verifies(purpose: SignPurpose, words: SignedWords, signature: string): boolean;
}

/** JSON keeps words apart: no two lists have one text. */
export type SignedWords = readonly (string | number | null)[];

/** `readKeys` is called with the first use, and once. */
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

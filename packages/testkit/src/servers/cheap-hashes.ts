import { argon2Sync, randomBytes } from 'node:crypto';

/** `passwordHashes` of a context: hashes that a sign-in accepts, without their cost. */
export const cheapHashes = {
  panel: async (password: string) => {
    const nonce = randomBytes(16);
    const parameters = { memory: 8, passes: 1, parallelism: 1, tagLength: 32 };
    const hash = argon2Sync('argon2id', { message: password, nonce, ...parameters });
    const [salt, tag] = [nonce, hash].map((bytes) => bytes.toString('base64').replace(/=+$/, ''));
    return `$argon2id$v=19$m=8,t=1,p=1$${salt}$${tag}`;
  },
  linux: async () => `$6$${randomBytes(8).toString('hex')}$${'a'.repeat(86)}`,
  site: async () => `$6$rounds=1000$${randomBytes(8).toString('hex')}$${'a'.repeat(86)}`,
};

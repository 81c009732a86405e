import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { AccountSpec } from '@innkeeper/protocol';
import { z } from 'zod';
import { storeDurably } from '../node/durable-files.ts';

/** The secrets of a spec, in the order of their position in it. */
const secretsSchema = z.array(z.string());

const KEY_BYTES = 32;
const IV_BYTES = 12;
const TAG_BYTES = 16;
const ALGORITHM = 'aes-256-gcm';

/**
 * Encrypts the secrets of a spec for the disk and decrypts them: AES-256-GCM, with a key file that is not stored beside
 * the ledger. So a copy of the agent's state folder, or of one entry, reveals no password
 * (docs/design/reconcile-and-ledger.md).
 */
export class LedgerSeal {
  readonly #key: Buffer;

  constructor(key: Buffer) {
    if (key.length !== KEY_BYTES) throw new Error(`A key of the ledger has ${KEY_BYTES} bytes.`);
    this.#key = key;
  }

  /**
   * Reads the key file, and creates it if it is missing. Throws if the file cannot be read or contains no valid key.
   */
  static async open(file: string): Promise<LedgerSeal> {
    const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return undefined;
      throw error;
    });
    if (text !== undefined) return new LedgerSeal(Buffer.from(text.trim(), 'base64'));
    const key = randomBytes(KEY_BYTES);
    await storeDurably(file, `${key.toString('base64')}\n`);
    return new LedgerSeal(key);
  }

  seal(spec: AccountSpec): { spec: AccountSpec; sealed: string } {
    const secrets: string[] = [];
    const without = withSecrets(spec, (secret) => {
      secrets.push(secret);
      return '';
    });
    const iv = randomBytes(IV_BYTES);
    const cipher = createCipheriv(ALGORITHM, this.#key, iv).setAAD(purposeOf(spec.account_id));
    const bytes = Buffer.concat([cipher.update(JSON.stringify(secrets), 'utf8'), cipher.final()]);
    return {
      spec: without,
      sealed: Buffer.concat([iv, cipher.getAuthTag(), bytes]).toString('base64'),
    };
  }

  /** Throws if the text was sealed with another key or for another account, or was modified. */
  open(spec: AccountSpec, sealed: string): AccountSpec {
    const bytes = Buffer.from(sealed, 'base64');
    const decipher = createDecipheriv(ALGORITHM, this.#key, bytes.subarray(0, IV_BYTES), {
      authTagLength: TAG_BYTES,
    });
    decipher.setAAD(purposeOf(spec.account_id));
    decipher.setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
    const text = Buffer.concat([decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES)), decipher.final()]);
    const secrets = secretsSchema.parse(JSON.parse(text.toString('utf8')));
    const opened = withSecrets(spec, () => secrets.shift() ?? '');
    if (secrets.length > 0) throw new Error('More secrets were sealed than the entry has.');
    return opened;
  }
}

function purposeOf(accountId: number): Buffer {
  return Buffer.from(`innkeeper ledger ${accountId}`);
}

/** Returns the spec with every secret replaced, always in the same order. */
function withSecrets(spec: AccountSpec, replace: (secret: string) => string): AccountSpec {
  return {
    ...spec,
    password_hash: replace(spec.password_hash),
    databases: spec.databases.map((database) => ({ ...database, password: replace(database.password) })),
    apps: spec.apps.map((app) => ({
      ...app,
      env: app.env.map((variable) => ({ ...variable, value: replace(variable.value) })),
      release: app.release && {
        ...app.release,
        git_deploy_key: replace(app.release.git_deploy_key),
      },
    })),
    // An entry of an earlier release has no `site`.
    domains: spec.domains.map((domain) => {
      const password = domain.site?.password;
      if (!password) return domain;
      return { ...domain, site: { ...domain.site, password: { ...password, hash: replace(password.hash) } } };
    }),
  };
}

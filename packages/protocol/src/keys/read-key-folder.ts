import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { DomainError } from '@innkeeper/domain';
import { z } from 'zod';
import { type CertificateAuthority, loadCertificateAuthority } from '../identity/certificate-authority.ts';
import { fingerprintOf } from '../identity/fingerprint.ts';
import { type RevokedNatsUser, signAccountClaims } from '../nats/account.ts';
import { pushAccountClaims } from '../nats/push-account-claims.ts';
import type { NatsUserSigner } from '../nats/user-jwt.ts';
import { keyFolderPaths } from './layout.ts';

export interface SealingKeys {
  /** Id of the key that seals. The other keys only open. */
  currentId: string;
  /** 32 bytes each, by id. */
  keys: ReadonlyMap<string, Buffer>;
}

/** The keys that the API has. */
export interface ControlPlaneKeys {
  authority: CertificateAuthority;
  natsSigner: NatsUserSigner;
  /** The control plane's NATS credentials, for a credentials authenticator. */
  natsCredentials: Uint8Array;
  sealing: SealingKeys;
}

/**
 * Reads a key folder that `innctl init` created. Throws DomainError `precondition_failed` with the name of the file.
 */
export function readKeyFolder(dir: string): ControlPlaneKeys {
  const paths = keyFolderPaths(resolve(dir));
  return {
    authority: loadCertificateAuthority(read(paths.caCertificate), read(paths.caKey)),
    natsSigner: {
      accountPublicKey: read(paths.natsAccountPublicKey).trim(),
      signingSeed: read(paths.natsSigningSeed).trim(),
    },
    natsCredentials: readNatsCredentials(dir).credentials,
    sealing: readSealingKeys(dir),
  };
}

/** Reads only the sealing keys. Throws like `readKeyFolder`. */
export function readSealingKeys(dir: string): SealingKeys {
  const { sealingKeys } = keyFolderPaths(resolve(dir));
  return parseSealingKeys(sealingKeys, read(sealingKeys));
}

/** The CA fingerprint in join tokens. */
export function readCaFingerprint(dir: string): string {
  return fingerprintOf(read(keyFolderPaths(resolve(dir)).caCertificate));
}

/** The credentials and the CA for a client of the NATS server that uses these keys. */
export function readNatsCredentials(dir: string): { credentials: Uint8Array; caPem: string } {
  const paths = keyFolderPaths(resolve(dir));
  return {
    credentials: new TextEncoder().encode(read(paths.natsCredentials)),
    caPem: read(paths.caCertificate),
  };
}

/** Makes the NATS server at a URL reject and disconnect these users, and no others. Throws if it cannot. */
export type RevokeNatsUsers = (url: string, revoked: readonly RevokedNatsUser[]) => Promise<void>;

/**
 * Returns the function that revokes NATS users. Null for a key folder from an older release of `innctl init`: the key
 * for it is missing until the command runs again.
 */
export function readNatsRevoker(dir: string): RevokeNatsUsers | null {
  const paths = keyFolderPaths(resolve(dir));
  if (!existsSync(paths.natsOperatorSigningSeed) || !existsSync(paths.natsStatementCredentials)) return null;
  const keys = {
    accountPublicKey: read(paths.natsAccountPublicKey).trim(),
    operatorSigningSeed: read(paths.natsOperatorSigningSeed),
    signingSeed: read(paths.natsSigningSeed),
  };
  const credentials = new TextEncoder().encode(read(paths.natsStatementCredentials));
  const caPem = read(paths.caCertificate);
  return async (url, revoked) =>
    pushAccountClaims({
      url,
      caPem,
      credentials,
      accountPublicKey: keys.accountPublicKey,
      claims: await signAccountClaims(keys, revoked),
    });
}

const sealingKeysSchema = z
  .strictObject({
    current: z.string(),
    keys: z.record(z.string().regex(/^[0-9a-z]{1,32}$/), z.base64().length(44)),
  })
  .refine(({ current, keys }) => Object.hasOwn(keys, current));

function parseSealingKeys(path: string, text: string): SealingKeys {
  try {
    const { current, keys } = sealingKeysSchema.parse(JSON.parse(text));
    return {
      currentId: current,
      keys: new Map(Object.entries(keys).map(([id, key]) => [id, Buffer.from(key, 'base64')])),
    };
  } catch {
    // The parser's own message could contain a part of a key.
    throw new DomainError('precondition_failed', `${path} is damaged. Restore it from a backup.`);
  }
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    const why =
      code === 'ENOENT'
        ? 'does not exist. Make it with: innctl init --keys DIR --host HOST'
        : code === 'EACCES'
          ? 'may not be read by this user. Its group must be that of the service (see innctl init --help).'
          : `cannot be read (${code}).`;
    throw new DomainError('precondition_failed', `The key file ${path} ${why}`, { cause });
  }
}

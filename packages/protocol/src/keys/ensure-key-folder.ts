import { createPrivateKey, randomBytes, X509Certificate } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { isIP } from 'node:net';
import { resolve } from 'node:path';
import { DomainError } from '@innkeeper/domain';
import {
  type CertificateAuthority,
  loadCertificateAuthority,
  makeCaCertificate,
} from '../identity/certificate-authority.ts';
import { generatePrivateKeyPem } from '../identity/key-pair.ts';
import { signServerCertificate } from '../identity/server-certificate.ts';
import { generateNatsAccountKeys, makeStatementCredentials, signNatsAccount } from '../nats/account.ts';
import { renderNatsServerConfig } from '../nats/server-config.ts';
import { makeControlPlaneCredentials } from '../nats/user-jwt.ts';
import { KeyFileWriter } from './key-file-writer.ts';
import { type KeyFolderPaths, keyFolderPaths } from './layout.ts';

const DAY_MS = 24 * 3_600_000;
const NATS_CERTIFICATE_LIFETIME_MS = 825 * DAY_MS;
const NATS_CERTIFICATE_RENEWED_BEFORE_MS = 180 * DAY_MS;
/** Hosts at which the API connects to a NATS server on the same machine. */
const loopbackHosts = ['localhost', '127.0.0.1', '::1'];

export interface KeyFolderOptions {
  /** Names and addresses at which nodes reach the control plane. */
  hosts: readonly string[];
  natsPort: number;
  /** Group that may read the API's files. Null: none. With a group, the caller must be root. */
  gid: number | null;
  now?: Date;
}

export interface KeyFolderResult {
  /** Paths of the files that were created, and of those that existed. */
  created: string[];
  kept: string[];
  caFingerprint: string;
  natsConfigFile: string;
}

/**
 * Creates the missing files of a key folder and keeps every existing key. Throws DomainError `precondition_failed` if a
 * key is missing that others depend on: a new one would lock nodes out.
 */
export async function ensureKeyFolder(dir: string, options: KeyFolderOptions): Promise<KeyFolderResult> {
  const paths = keyFolderPaths(resolve(dir));
  const writer = new KeyFileWriter(options.gid);
  const now = options.now ?? new Date();
  await writer.ensureDirectory(paths.dir);
  await writer.ensureDirectory(paths.natsDir);

  const authority = await ensureAuthority(paths, writer, now);
  await writer.ensureFile(paths.sealingKeys, 'group', newSealingKeys);
  const account = await ensureNatsAccount(paths, writer);
  await ensureNatsServerCertificate(paths, writer, authority, options.hosts, now);

  const config = renderNatsServerConfig({
    ...account,
    port: options.natsPort,
    certificateFile: paths.natsServerCertificate,
    keyFile: paths.natsServerKey,
  });
  await writer.writeFile(paths.natsServerConfig, 'group', config);
  return {
    created: writer.created,
    kept: writer.kept,
    caFingerprint: authority.fingerprint,
    natsConfigFile: paths.natsServerConfig,
  };
}

async function ensureAuthority(
  paths: KeyFolderPaths,
  writer: KeyFileWriter,
  now: Date,
): Promise<CertificateAuthority> {
  refuseLostKey(paths.caKey, paths.caCertificate);
  const keyPem = await writer.ensureFile(paths.caKey, 'group', generatePrivateKeyPem);
  const certificatePem = await writer.ensureFile(paths.caCertificate, 'public', () =>
    makeCaCertificate(keyPem, now),
  );
  return loadCertificateAuthority(certificatePem, keyPem);
}

async function ensureNatsAccount(paths: KeyFolderPaths, writer: KeyFileWriter) {
  // The credentials are written last. If they exist, every seed existed once.
  for (const seed of [paths.natsOperatorSeed, paths.natsAccountSeed, paths.natsSigningSeed])
    refuseLostKey(seed, paths.natsCredentials);
  const fresh = generateNatsAccountKeys();
  const keys = {
    operatorSeed: await writer.ensureFile(paths.natsOperatorSeed, 'root', () => fresh.operatorSeed),
    operatorSigningSeed: await writer.ensureFile(
      paths.natsOperatorSigningSeed,
      'group',
      () => fresh.operatorSigningSeed,
    ),
    systemSeed: await writer.ensureFile(paths.natsSystemSeed, 'root', () => fresh.systemSeed),
    accountSeed: await writer.ensureFile(paths.natsAccountSeed, 'root', () => fresh.accountSeed),
    signingSeed: await writer.ensureFile(paths.natsSigningSeed, 'group', () => fresh.signingSeed),
  };
  const account = await signNatsAccount(keys);
  const { accountPublicKey } = account;
  await writer.ensureFile(paths.natsAccountPublicKey, 'public', () => accountPublicKey);
  await writer.ensureFile(paths.natsStatementCredentials, 'group', () =>
    makeStatementCredentials(keys.systemSeed, accountPublicKey),
  );
  await writer.ensureFile(paths.natsCredentials, 'group', () =>
    makeControlPlaneCredentials({ accountPublicKey, signingSeed: keys.signingSeed }),
  );
  return account;
}

async function ensureNatsServerCertificate(
  paths: KeyFolderPaths,
  writer: KeyFileWriter,
  authority: CertificateAuthority,
  givenHosts: readonly string[],
  now: Date,
): Promise<void> {
  const hosts = [...new Set([...givenHosts, ...loopbackHosts])];
  if (await isGoodServerCertificate(paths, hosts, now)) {
    await writer.ensureFile(paths.natsServerKey, 'group', neverMade);
    await writer.ensureFile(paths.natsServerCertificate, 'public', neverMade);
    return;
  }
  const server = await signServerCertificate(authority, {
    hosts,
    lifetimeMs: NATS_CERTIFICATE_LIFETIME_MS,
    now,
  });
  await writer.writeFile(paths.natsServerKey, 'group', server.keyPem);
  await writer.writeFile(paths.natsServerCertificate, 'public', server.chainPem);
}

async function isGoodServerCertificate(paths: KeyFolderPaths, hosts: string[], now: Date): Promise<boolean> {
  if (!existsSync(paths.natsServerCertificate) || !existsSync(paths.natsServerKey)) return false;
  const certificate = new X509Certificate(await readFile(paths.natsServerCertificate));
  const key = createPrivateKey(await readFile(paths.natsServerKey));
  const remainingMs = certificate.validToDate.getTime() - now.getTime();
  return (
    certificate.checkPrivateKey(key) &&
    remainingMs > NATS_CERTIFICATE_RENEWED_BEFORE_MS &&
    hosts.every((host) => covers(certificate, host))
  );
}

function covers(certificate: X509Certificate, host: string): boolean {
  return (isIP(host) === 0 ? certificate.checkHost(host) : certificate.checkIP(host)) !== undefined;
}

function neverMade(): never {
  throw new Error('The file was there a moment ago.');
}

function newSealingKeys(): string {
  const id = randomBytes(4).toString('hex');
  const keys = { [id]: randomBytes(32).toString('base64') };
  return `${JSON.stringify({ current: id, keys }, null, 2)}\n`;
}

function refuseLostKey(key: string, dependent: string): void {
  if (existsSync(key) || !existsSync(dependent)) return;
  throw new DomainError(
    'precondition_failed',
    `${key} is missing, but ${dependent} was made with it. Restore the key from a backup; or, to start over and enrol every node again, remove ${dependent} too.`,
  );
}

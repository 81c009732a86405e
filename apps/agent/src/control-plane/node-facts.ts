import { createHash, X509Certificate } from 'node:crypto';
import { readdir, readFile, readlink, statfs } from 'node:fs/promises';
import { availableParallelism, hostname, totalmem } from 'node:os';
import type { AccountSpec, NodeFacts } from '@innkeeper/protocol';

export interface NodeFactsSources {
  version: string;
  ioLimits: boolean;
  isDiskQuotaEnforced: () => Promise<boolean>;
  specs: () => AccountSpec[];
  ledgerIncomplete: boolean;
  /** Major versions of Node.js that apps can have. */
  nodejsVersions: readonly string[];
  phpLink?: string;
  sshHostKey?: string;
  ftpCertificate?: string;
}

const MOST_NAMES = 20_000;

/** Returns the facts about this server that Hello sends. Rejects when /home or the account files cannot be read. */
export async function readNodeFacts(sources: NodeFactsSources): Promise<NodeFacts> {
  const home = await statfs('/home');
  return {
    agent_version: sources.version,
    hostname: hostname(),
    cpu_count: availableParallelism(),
    memory_bytes: totalmem(),
    disk_bytes: home.blocks * home.bsize,
    disk_quota: (await sources.isDiskQuotaEnforced()) ? 'enforced' : 'accounting-only',
    io_limits: sources.ioLimits,
    reserved_usernames: await readReservedNames(sources.specs()),
    ledger_incomplete: sources.ledgerIncomplete,
    node_versions: [...sources.nodejsVersions],
    php_version: await readPhpVersion(sources),
    // The time zone of this server, as cron uses it. Neither the agent nor cron is given another one.
    time_zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    ssh_fingerprint: await readSshFingerprint(sources),
    ftp_fingerprint: await readFtpFingerprint(sources),
  };
}

/** Read from the name of the program that sites run on. */
async function readPhpVersion({ phpLink = '/opt/innkeeper/bin/php-fpm' }: NodeFactsSources) {
  const program = await readlink(phpLink).catch(() => '');
  return /php-fpm(\d{1,2}\.\d{1,2})$/.exec(program)?.[1] ?? null;
}

/** What clients of SSH and SFTP compare at their first connection. */
async function readSshFingerprint({ sshHostKey = '/etc/ssh/ssh_host_ed25519_key.pub' }: NodeFactsSources) {
  const [, base64 = ''] = (await readFile(sshHostKey, 'latin1').catch(() => '')).split(' ');
  if (base64 === '') return null;
  const hash = createHash('sha256').update(Buffer.from(base64, 'base64')).digest('base64');
  return `SHA256:${hash.replace(/=+$/, '')}`;
}

/** What clients of FTP show of a certificate that no authority has signed. */
async function readFtpFingerprint({ ftpCertificate = '/etc/innkeeper/ftp.pem' }: NodeFactsSources) {
  try {
    return new X509Certificate(await readFile(ftpCertificate)).fingerprint256;
  } catch {
    return null;
  }
}

/** Names of users, groups and homes that belong to no account of the ledger. An account needs all three to be free. */
async function readReservedNames(specs: readonly AccountSpec[]): Promise<string[]> {
  const texts = await Promise.all(['/etc/passwd', '/etc/group'].map((file) => readFile(file, 'latin1')));
  const entries = texts.flatMap((text) => text.split('\n').map((line) => line.slice(0, line.indexOf(':'))));
  const names = [...entries, ...(await readdir('/home'))];
  const ours = new Set(specs.map((spec) => spec.linux_user));
  const reserved = new Set(names.filter((name) => /^[a-z0-9_-]{1,32}$/.test(name) && !ours.has(name)));
  return [...reserved].sort().slice(0, MOST_NAMES);
}

import { randomBytes } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { StateDir } from '../processes/state-dir.ts';
import { type Innctl, readInnctl, requireInnctl } from './innctl.ts';
import { readMark } from './programs.ts';

export interface PackageRecord {
  id: number;
  name: string;
}

const ADMIN = 'admin';
/** The exit code of innctl for a request that a rule forbids. */
const REFUSED = 1;

const PACKAGES: Record<string, Record<string, string | boolean>> = {
  Starter: limits(1_024, 10_240, 50, 512, 1, 1, 1, 5),
  Business: { ...limits(5_120, 102_400, 100, 1_024, 10, 5, 5, 20), 'terminal-access': true },
  Professional: { ...limits(20_480, 512_000, 200, 2_048, 50, 20, 20, 50), 'terminal-access': true },
  Custom: { ...limits(1_024, 10_240, 100, 1_024, 10, 5, 5, 20), internal: true },
};

/** Creates the first admin. Its random password is only in `<state>/secrets/admin-password`. */
export async function ensureAdmin(innctl: Innctl, state: StateDir): Promise<void> {
  const mark = join(state.path, 'admin-created');
  if ((await readMark(mark)) !== undefined) return;
  const passwordFile = join(state.path, 'secrets/admin-password');
  await mkdir(join(state.path, 'secrets'), { recursive: true, mode: 0o700 });
  if ((await readMark(passwordFile)) === undefined)
    await writeFile(passwordFile, randomBytes(18).toString('base64url'), { mode: 0o600 });
  const argv = ['admin', 'create', '--username', ADMIN, '--email', 'admin@example.com'];
  const result = await innctl([...argv, '--password-file', passwordFile]);
  // Refused: an interrupted run may have created the admin. Without an admin the token cannot be created, and that
  // command reports it.
  if (result.exitCode === REFUSED) return;
  if (result.exitCode !== 0) throw new Error(`the first admin could not be created: ${result.stderr.trim()}`);
  await writeFile(mark, ADMIN);
}

/**
 * Creates three packages and the internal package for custom limits. Returns the packages that are offered to
 * customers.
 */
export async function ensurePackages(innctl: Innctl): Promise<PackageRecord[]> {
  const known = await readInnctl<PackageRecord[]>(innctl, ['package', 'list']);
  for (const [name, flags] of Object.entries(PACKAGES)) {
    if (known.some((record) => record.name === name)) continue;
    const argv = Object.entries(flags).flatMap(([flag, value]) =>
      value === true ? [`--${flag}`] : [`--${flag}`, String(value)],
    );
    await requireInnctl(innctl, ['package', 'create', '--name', name, ...argv]);
  }
  const records = await readInnctl<PackageRecord[]>(innctl, ['package', 'list']);
  return records.filter((record) => PACKAGES[record.name]?.internal !== true);
}

/**
 * Returns a token of the admin with every ability. It is stored in `<state>/secrets/token` and reused while the API
 * accepts it.
 */
export async function ensureToken(innctl: Innctl, state: StateDir, baseUrl: string): Promise<string> {
  const file = join(state.path, 'secrets/token');
  const kept = await readMark(file);
  if (kept !== undefined && (await isAccepted(kept, baseUrl))) return kept;
  const argv = ['token', 'create', '--user', ADMIN, '--name', 'up', '--preset', 'full_access'];
  const { token } = await readInnctl<{ token: string }>(innctl, argv);
  await writeFile(file, token, { mode: 0o600 });
  return token;
}

async function isAccepted(token: string, baseUrl: string): Promise<boolean> {
  const headers = { authorization: `Bearer ${token}`, accept: 'application/json' };
  return (await fetch(`${baseUrl}/auth/me`, { headers })).ok;
}

function limits(
  diskMb: number,
  bandwidthMb: number,
  cpuPercent: number,
  ramMb: number,
  domains: number,
  databases: number,
  apps: number,
  cronJobs: number,
): Record<string, string | boolean> {
  return {
    'disk-mb': String(diskMb),
    'bandwidth-mb': String(bandwidthMb),
    'cpu-percent': String(cpuPercent),
    'ram-mb': String(ramMb),
    'max-domains': String(domains),
    'max-databases': String(databases),
    'max-apps': String(apps),
    'max-cron-jobs': String(cronJobs),
  };
}

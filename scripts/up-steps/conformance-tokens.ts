import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Innctl, type Installation, readInnctl, requireInnctl } from '@innkeeper/testkit/machine';

/** The reseller's pool, by the names of an account's limits. */
export const RESELLER_POOL = { iops: 5_000 };

/** The exit code of innctl for a request that a rule forbids. */
const REFUSED = 1;
const ADMIN = 'admin';
const RESELLER = 'conformance';
const FILE = 'secrets/conformance.json';

interface CreatedToken {
  id: number;
  token: string;
}

/**
 * Creates the additional tokens for ./scripts/conformance, besides the admin's, and writes them to a file. Returns its
 * path relative to the checkout.
 */
export async function ensureConformanceTokens({ state, innctl, packages }: Installation): Promise<string> {
  const file = join(state.path, FILE);
  if (!existsSync(file)) {
    await ensureReseller(innctl, packages[0]!.id);
    await writeFile(`${file}.new`, `${JSON.stringify(await createTokens(innctl), null, 2)}\n`, {
      mode: 0o600,
    });
    await rename(`${file}.new`, file);
  }
  return join('.run', FILE);
}

/** The reseller may sell only one of several packages: it must not see the others. */
async function ensureReseller(innctl: Innctl, packageId: number): Promise<void> {
  const user = ['--username', RESELLER, '--email', 'conformance@example.com', '--password-file', '-'];
  const result = await innctl(['reseller', 'create', ...user], {
    input: randomBytes(18).toString('base64url'),
  });
  // Refused: an interrupted run may have created the reseller. Without a reseller the next command fails and reports
  // it.
  if (result.exitCode !== 0 && result.exitCode !== REFUSED)
    throw new Error(`the reseller could not be created: ${result.stderr.trim()}`);
  await requireInnctl(innctl, ['reseller', 'pool', RESELLER, '--iops', String(RESELLER_POOL.iops)]);
  await requireInnctl(innctl, ['package', 'assign', String(packageId), '--reseller', RESELLER]);
}

async function createTokens(innctl: Innctl): Promise<Record<string, string>> {
  const create = (user: string, name: string, more: string[]) =>
    readInnctl<CreatedToken>(innctl, ['token', 'create', '--user', user, '--name', name, ...more]);
  const full = ['--preset', 'full_access'];
  const revoked = await create(ADMIN, 'conformance: revoked', full);
  await requireInnctl(innctl, ['token', 'revoke', String(revoked.id)]);
  const tokens = {
    reseller: await create(RESELLER, 'conformance: reseller', full),
    'read-only': await create(ADMIN, 'conformance: read only', ['--preset', 'read_only']),
    provisioning: await create(ADMIN, 'conformance: provisioning', ['--preset', 'provisioning']),
    'no-abilities': await create(ADMIN, 'conformance: nothing', ['--ability', 'none']),
    revoked,
    // An address reserved for documentation: no client has it.
    'foreign-address': await create(ADMIN, 'conformance: elsewhere', [
      ...full,
      '--allowed-ips',
      '203.0.113.200',
    ]),
  };
  return Object.fromEntries(Object.entries(tokens).map(([kind, { token }]) => [kind, token]));
}

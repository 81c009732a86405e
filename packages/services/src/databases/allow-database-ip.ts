import type { DatabaseView } from '@innkeeper/contract';
import { insertAllowedIp } from '@innkeeper/db';
import { ALLOWED_IPS_PER_DATABASE, DomainError, invalidField, recordSentences } from '@innkeeper/domain';
import type { ServiceContext } from '../context.ts';
import type { Written } from '../desired-state.ts';
import { assertKept, changeDatabase } from './change-database.ts';

/** No computer has such an address. People type it for "everyone", which it would not be. */
const NOBODY: ReadonlySet<string> = new Set(['0.0.0.0', '::', '255.255.255.255']);

/**
 * Allows an address, in canonical form, to connect to a database remotely. Throws like `changeDatabase`,
 * `precondition_failed` for a database that is being removed, `invalid` for an address that is allowed already or that no
 * computer has, and `quota_exceeded`.
 */
export async function allowDatabaseIp(
  ctx: ServiceContext,
  { database_id, ip }: { database_id: number; ip: string },
): Promise<Written<DatabaseView>> {
  if (NOBODY.has(ip))
    throw invalidField('ip', `The ip field must be the address of one computer: ${ip} stands for none.`);
  return await changeDatabase(ctx, 'database.allow-ip', database_id, async (trx, database, now) => {
    assertKept(database);
    const { account_id, allowed_ips } = database;
    if (allowed_ips.includes(ip)) throw invalidField('ip', recordSentences.taken('ip'));
    if (allowed_ips.length >= ALLOWED_IPS_PER_DATABASE)
      throw new DomainError('quota_exceeded', `Allowed IP limit reached (${ALLOWED_IPS_PER_DATABASE}).`);
    await insertAllowedIp(trx, { account_id, database_id, ip, created_at: now });
    const after = { allowed_ips: [...allowed_ips, ip] };
    return { ...after, details: { before: { allowed_ips }, after } };
  });
}

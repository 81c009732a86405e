import type { DatabaseView } from '@innkeeper/contract';
import { deleteAllowedIp } from '@innkeeper/db';
import { DomainError } from '@innkeeper/domain';
import type { ServiceContext } from '../context.ts';
import type { Written } from '../desired-state.ts';
import { assertKept, changeDatabase } from './change-database.ts';

/**
 * Revokes remote access to a database for an address in canonical form. Throws like `changeDatabase`, `not_found` for
 * an address that is not allowed, and `precondition_failed` for a database that is being removed.
 */
export async function revokeDatabaseIp(
  ctx: ServiceContext,
  { database_id, ip }: { database_id: number; ip: string },
): Promise<Written<DatabaseView>> {
  return await changeDatabase(ctx, 'database.revoke-ip', database_id, async (trx, database) => {
    const { allowed_ips } = database;
    if (!allowed_ips.includes(ip))
      throw new DomainError('not_found', `${ip} may not use database ${database_id}.`);
    assertKept(database);
    await deleteAllowedIp(trx, { database_id, ip });
    const after = { allowed_ips: allowed_ips.filter((other) => other !== ip) };
    return { ...after, details: { before: { allowed_ips }, after } };
  });
}

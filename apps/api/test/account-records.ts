import type { Database } from '@innkeeper/db';
import { uidForAccountId } from '@innkeeper/domain';
import type { OperatorContext } from '@innkeeper/services';
import type { Insertable } from 'kysely';

type Db = OperatorContext['db'];

const now = new Date('2026-11-21T00:00:00Z');

/**
 * Inserts an account on a node as its create leaves it, with its end user and one domain. Returns the ids. `more`:
 * other columns of the account.
 */
export async function insertAccount(
  db: Db,
  {
    username,
    node_id,
    ...more
  }: { username: string; node_id: number } & Partial<Insertable<Database['accounts']>>,
): Promise<{ id: number; domainId: number }> {
  const user_id = await idOf(
    db.insertInto('users').values({
      username,
      name: username,
      email: `${username}@example.com`,
      email_lower: `${username}@example.com`,
      role: 'user',
      password_hash: '-',
      created_at: now,
      updated_at: now,
    }),
  );
  await db.insertInto('usernames').values({ username, user_id }).execute();
  const id = await idOf(
    db.insertInto('accounts').values({
      username,
      name: username,
      email: `${username}@example.com`,
      reseller_user_id: null,
      user_id,
      package_id: 1,
      node_id,
      uid: null,
      linux_user: username,
      state: 'active',
      terminal_access: 0,
      linux_password_hash: `$6$salt$${'a'.repeat(86)}`,
      generation: 1,
      observed_generation: 0,
      outcome: null,
      conditions: '[]',
      observed_at: null,
      created_at: now,
      updated_at: now,
      disk_limit_mb: 1_000,
      bandwidth_limit_mb: 10_000,
      cpu_limit_percent: 100,
      ram_limit_mb: 512,
      io_read_mbps: null,
      io_write_mbps: null,
      iops: null,
      max_processes: 100,
      max_domains: 10,
      max_databases: 5,
      max_apps: 5,
      max_cron_jobs: 5,
      ...more,
    }),
  );
  await db
    .updateTable('accounts')
    .set({ uid: uidForAccountId(id) })
    .where('id', '=', id)
    .execute();
  const domainId = await idOf(
    db.insertInto('domains').values({
      account_id: id,
      domain_name: `${username}.example.com`,
      reversed_name: `com.example.${username}`,
      is_primary: 1,
      state: 'active',
      status: 'pending',
      status_reason: null,
      created_at: now,
      updated_at: now,
    }),
  );
  return { id, domainId };
}

async function idOf(insertion: {
  executeTakeFirstOrThrow(): Promise<{ insertId?: bigint | undefined }>;
}): Promise<number> {
  return Number((await insertion.executeTakeFirstOrThrow()).insertId);
}

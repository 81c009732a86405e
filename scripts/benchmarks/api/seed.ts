import { type Database, migrate } from '@innkeeper/db';
import {
  addNode,
  createAdmin,
  createPackage,
  createReseller,
  createToken,
  type OperatorContext,
} from '@innkeeper/services';
import { type Kysely, sql } from 'kysely';

const OTHER_NODES = 9;
const RESELLERS = 20;
const ADMINS = 24;
const PASSWORD = 'correct horse battery';

export interface Seeded {
  /** One token per admin. */
  tokens: string[];
  /** The simulated node and the secret of its join token. */
  node: { name: string; secret: string };
}

const limits = {
  disk_mb: 1_000,
  bandwidth_mb: 10_000,
  cpu_percent: 100,
  ram_mb: 512,
  io_read_mbps: 50,
  io_write_mbps: 50,
  iops: null,
  max_processes: 50,
  max_domains: 10,
  max_databases: 5,
  max_apps: 5,
  max_cron_jobs: 1_000_000,
};

/** The ids of the simulated node's accounts are the multiples of this number, for any number of accounts. */
export const SIMULATED_EVERY = 4;

/**
 * Creates a fleet of ten nodes with this many accounts. One in three accounts belongs to a reseller. Each has one to
 * three domains; some have a database, an app and cron jobs. Their usage was measured just now. Account ids are 1 to
 * `accounts`.
 */
export async function seed(ctx: OperatorContext, accounts: number): Promise<Seeded> {
  const { db } = ctx;
  await migrate(db);
  const staff = (username: string) => ({
    username,
    email: `${username}@panel.example`,
    password: PASSWORD,
  });
  const tokens: string[] = [];
  for (let number = 1; number <= ADMINS; number += 1) {
    await createAdmin(ctx, staff(`admin-${number}`));
    const { plain_token } = await createToken(ctx, {
      user: `admin-${number}`,
      name: 'bench',
      abilities: ['*'],
    });
    tokens.push(plain_token);
  }
  for (let number = 1; number <= RESELLERS; number += 1) await createReseller(ctx, staff(`seller-${number}`));
  for (const name of ['Small', 'Medium', 'Large']) await createPackage(ctx, { name, ...limits });
  const simulated = await addNode(ctx, { name: 'web1', address: '192.0.2.1' });
  for (let number = 2; number <= OTHER_NODES + 1; number += 1)
    await addNode(ctx, { name: `web${number}`, address: `192.0.2.${number}` });
  await insertAccounts(db, accounts);
  // Counts the inserted rows.
  await migrate(db);
  return { tokens, node: { name: simulated.node.name, secret: simulated.secret } };
}

/** Uses the server's own sequences: 100,000 accounts in seconds. */
async function insertAccounts(db: Kysely<Database>, accounts: number): Promise<void> {
  const numbers = sql.raw(`seq_1_to_${accounts}`);
  const name = sql.raw("concat('customer', seq)");
  const domain = (label: string) => sql.raw(`concat('${label}', seq, '.example')`);
  const firstUser = sql`(select max(id) from users)`;
  const { rows } = await sql<{ first: number }>`select ${firstUser} as first`.execute(db);
  const userId = sql.raw(`${rows[0]?.first ?? 0} + seq`);
  const times = sql.raw('now(6) - interval (seq % 1000) hour, now(6) - interval (seq % 100) hour');
  const conditions = JSON.stringify(
    ['user', 'home', 'slice', 'php', 'web', 'cron'].map((type) => ({ type, reason: 'Applied', message: '' })),
  );
  const sellers = sql.raw(`(select min(id) from users where role = 'reseller') + seq % ${RESELLERS}`);
  const statements = [
    sql`insert into users (id, username, name, email, email_lower, role, password_hash, created_at, updated_at)
      select ${userId}, ${name}, concat('Customer ', seq), concat('customer', seq, '@example.com'),
        concat('customer', seq, '@example.com'), 'user', repeat('h', 97), ${times} from ${numbers}`,
    sql`insert into usernames (username, user_id) select ${name}, ${userId} from ${numbers}`,
    sql`insert into accounts (id, username, name, email, reseller_user_id, user_id, package_id, node_id, uid, linux_user, state,
        linux_password_hash, disk_limit_mb, bandwidth_limit_mb, cpu_limit_percent, ram_limit_mb, io_read_mbps, io_write_mbps, iops,
        max_processes, max_domains, max_databases, max_apps, max_cron_jobs, terminal_access, generation, observed_generation, outcome,
        conditions, observed_at, first_applied_at, created_at, updated_at)
      select seq, ${name}, concat('Customer ', seq), concat('customer', seq, '@example.com'), if(seq % 3 = 0, ${sellers}, null),
        ${userId}, 1 + seq % 3, if(seq % ${sql.lit(SIMULATED_EVERY)} = 0, 1, 2 + seq % ${sql.lit(OTHER_NODES)}), 100000 + seq, ${name},
        if(seq % 50 = 1, 'suspended', 'active'), concat('$6$salt$', repeat('a', 86)), 1000, 10000, 100, 512, 50, 50, null,
        50, 10, 5, 5, 1000000, 0, 3, 3, 'applied', ${conditions}, now(6), now(6), ${times} from ${numbers}`,
    ...[
      { label: 'site', primary: 1, where: 'true' },
      { label: 'shop', primary: 0, where: 'seq % 2 = 0' },
      { label: 'blog', primary: 0, where: 'seq % 5 = 0' },
    ].map(
      ({ label, primary, where }) =>
        sql`insert into domains (account_id, domain_name, reversed_name, is_primary, state, status, created_at, updated_at)
          select seq, ${domain(label)}, concat('example.${sql.raw(label)}', seq), ${primary}, 'active', 'active', ${times}
          from ${numbers} where ${sql.raw(where)} order by rand(1)`,
    ),
    sql`insert into apps (account_id, name, template_key, status, created_at, updated_at)
      select seq, 'Shop', 'wordpress', 'running', ${times} from ${numbers} where seq % 3 = 0`,
    sql`insert into \`databases\` (account_id, name, db_name, sealed_password, status, created_at, updated_at)
      select seq, 'shop', concat('customer', seq, '_shop'), repeat('s', 80), 'active', ${times} from ${numbers}
      where seq % ${sql.lit(SIMULATED_EVERY)} <> 0 and seq % 2 = 0`,
    sql`insert into cron_jobs (account_id, name, schedule, command, enabled, created_at, updated_at)
      select seq, 'Nightly', '0 3 * * *', 'php /home/customer/cron.php', 1, ${times} from ${numbers} where seq % 3 <> 1`,
    sql`insert into usage_snapshots (account_id, disk_used_mb, bandwidth_used_mb, cpu_used_percent, ram_used_mb, taken_at)
      select seq, seq % 1000, seq % 10000, seq % 100, seq % 512, now(6) from ${numbers}`,
    sql`insert into bandwidth_monthly (account_id, month, used_mb, updated_at)
      select seq, date_format(now(6), '%Y-%m'), seq % 10000, now(6) from ${numbers}`,
  ];
  for (const statement of statements) await statement.execute(db);
  await sql`analyze table users, accounts, domains, apps, \`databases\`, cron_jobs, usage_snapshots, bandwidth_monthly`.execute(
    db,
  );
}

/** Sets every measurement into the future, so that no usage is requested from a node, however long a round takes. */
export async function refreshUsage(db: Kysely<Database>): Promise<void> {
  await sql`update usage_snapshots set taken_at = now(0) + interval 1 hour`.execute(db);
}

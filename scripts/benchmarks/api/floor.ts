/**
 * The floor of `scripts/bench api`: the cost of hono, @hono/node-server and mysql2 alone. This process does the minimum
 * that each endpoint needs on the same database by hand, and gives the same answers: no contract, no query builder, no
 * log, no metrics. Called as `floor.ts PORT` with the database's URL in DATABASE_URL.
 */
import { createHash } from 'node:crypto';
import { serve } from '@hono/node-server';
import { Hono } from 'hono';
import { createPool, type ResultSetHeader, type RowDataPacket } from 'mysql2/promise';

const url = new URL(process.env.DATABASE_URL ?? '');
const pool = createPool({
  host: url.hostname,
  port: Number(url.port),
  user: url.username,
  password: decodeURIComponent(url.password),
  database: url.pathname.slice(1),
  connectionLimit: 10,
  timezone: 'Z',
  jsonStrings: true,
});
const rowsOf = async (text: string, values: unknown[] = []) =>
  (await pool.query<RowDataPacket[]>(text, values))[0];
const time = (date: Date) => `${date.toISOString().slice(0, -1)}000Z`;

interface Caller {
  user: { id: number; username: string; role: string };
  token: { id: number; name: string; purpose: string; preset: string; abilities: string[] };
}
const callers = new Map<string, { caller: Caller; until: number }>();

async function callerOf(authorization: string | undefined): Promise<Caller> {
  const hash = createHash('sha256')
    .update(authorization?.slice('Bearer '.length) ?? '')
    .digest();
  const key = hash.toString('base64');
  const known = callers.get(key);
  if (known !== undefined && performance.now() < known.until) return known.caller;
  const [row] = await rowsOf(
    `select t.id, t.name, t.purpose, t.preset, t.abilities, u.id as user_id, u.username, u.role
     from api_tokens t join users u on u.id = t.user_id where t.token_hash = ? and t.revoked_at is null`,
    [hash],
  );
  if (row === undefined) throw new Error('Unauthenticated.');
  const { id, name, purpose, preset, abilities, user_id, username, role } = row;
  const caller = {
    user: { id: user_id, username, role },
    token: { id, name, purpose, preset, abilities: JSON.parse(abilities) },
  };
  callers.set(key, { caller, until: performance.now() + 5_000 });
  return caller;
}

const LIMIT = 30_000;

/** Counts a hit in a window of 1 minute that starts with the first hit. Returns the number of earlier hits. */
async function countHit(bucket: string): Promise<number> {
  const [{ insertId }] = await pool.query<ResultSetHeader>(
    `insert into rate_limits (bucket, hits, resets_at) values (?, 1, unix_timestamp() * 1000 + 60000)
     on duplicate key update
       hits = last_insert_id(if(resets_at <= unix_timestamp() * 1000, 1, hits + 1)),
       resets_at = if(resets_at <= unix_timestamp() * 1000, unix_timestamp() * 1000 + 60000, resets_at)`,
    [bucket],
  );
  if (insertId > LIMIT) throw new Error('Too Many Attempts.');
  return insertId;
}

const app = new Hono<{ Variables: { caller: Caller } }>().basePath('/api/v1');
app.get('/health', async (c) => {
  await countHit(`health:${c.req.header('X-Forwarded-For')}`);
  return c.json({ status: 'ok', time: time(new Date()) });
});
app.use(async (c, next) => {
  const caller = await callerOf(c.req.header('Authorization'));
  await countHit(`user:${caller.user.id}`);
  c.set('caller', caller);
  await next();
});
app.get('/auth/me', (c) => c.json({ status: 'ok', authenticated: true, ...c.var.caller }));

app.get('/accounts/usage/bulk', async (c) => {
  const ids = [...new Set(c.req.queries('hosting_account_id[]')?.map(Number))];
  const rows = await rowsOf(
    `select a.id, a.disk_limit_mb, a.bandwidth_limit_mb, a.cpu_limit_percent, a.ram_limit_mb,
       s.disk_used_mb, b.used_mb as bandwidth_used_mb, s.cpu_used_percent, s.ram_used_mb, s.taken_at,
       s.taken_at > now(6) - interval 60 second as is_fresh
     from accounts a left join usage_snapshots s on s.account_id = a.id
     left join bandwidth_monthly b on b.account_id = a.id and b.month = ? where a.id in (?)`,
    [new Date().toISOString().slice(0, 7), ids],
  );
  const data = Object.fromEntries(
    rows.map((row) => [
      row.id,
      {
        disk_used_mb: row.disk_used_mb,
        disk_limit_mb: row.disk_limit_mb,
        bandwidth_used_mb: row.bandwidth_used_mb,
        bandwidth_limit_mb: row.bandwidth_limit_mb,
        cpu_used_percent: row.cpu_used_percent,
        cpu_limit_percent: row.cpu_limit_percent,
        ram_used_mb: row.ram_used_mb,
        ram_limit_mb: row.ram_limit_mb,
        measured_at: time(row.taken_at),
      },
    ]),
  );
  const missing_ids = ids.filter((id) => data[id] === undefined);
  return c.json({ data, meta: { requested: ids.length, returned: rows.length, missing_ids } });
});

app.get('/accounts/:id', async (c) => {
  const id = Number(c.req.param('id'));
  const [row] = await rowsOf(
    `select a.id, a.username, a.name, a.email, a.state, a.package_id, a.node_id, a.linux_user, a.disk_limit_mb,
       a.bandwidth_limit_mb, a.cpu_limit_percent, a.ram_limit_mb, a.io_read_mbps, a.io_write_mbps, a.iops, a.max_processes,
       a.max_domains, a.max_databases, a.max_apps, a.max_cron_jobs, a.terminal_access, a.generation, a.observed_generation,
       a.outcome, a.created_at, a.updated_at, p.name as package_name, p.disk_limit_mb as package_disk_mb, n.name as node_name,
       (select count(*) from apps where account_id = ? and state <> 'removing') as apps_count,
       (select json_arrayagg(json_array(id, domain_name, is_primary)) from domains
        where account_id = ? and state = 'active') as domains
     from accounts a join packages p on p.id = a.package_id join nodes n on n.id = a.node_id where a.id = ?`,
    [id, id, id],
  );
  if (row === undefined) return c.json({ message: 'Not found.' }, 404);
  const domains: [number, string, number][] = row.domains === null ? [] : JSON.parse(row.domains);
  return c.json({
    data: {
      id: row.id,
      username: row.username,
      name: row.name,
      email: row.email,
      status: row.state,
      package: { id: row.package_id, name: row.package_name, disk_mb: row.package_disk_mb },
      package_id: row.package_id,
      linux_user: row.linux_user,
      home_path: `/home/${row.linux_user}`,
      disk_limit_mb: row.disk_limit_mb,
      bandwidth_limit_mb: row.bandwidth_limit_mb,
      cpu_limit_percent: row.cpu_limit_percent,
      ram_limit_mb: row.ram_limit_mb,
      io_read_mbps: row.io_read_mbps,
      io_write_mbps: row.io_write_mbps,
      iops: row.iops,
      max_processes: row.max_processes,
      max_domains: row.max_domains,
      max_databases: row.max_databases,
      max_apps: row.max_apps,
      max_cron_jobs: row.max_cron_jobs,
      terminal_access: row.terminal_access === 1,
      domains: domains
        .sort((one, other) => one[0] - other[0])
        .map(([domainId, domain_name, primary]) => ({
          id: domainId,
          domain_name,
          is_primary: primary === 1,
        })),
      apps_count: row.apps_count,
      apps_limit: row.max_apps,
      synced: row.observed_generation === row.generation && row.outcome === 'applied',
      created_at: time(row.created_at),
      updated_at: time(row.updated_at),
      node: { id: row.node_id, name: row.node_name },
    },
  });
});

app.get('/accounts', async (c) => {
  const per_page = Number(c.req.query('per_page'));
  const page = Number(c.req.query('page') ?? 1);
  const rows = await rowsOf(
    `select a.id, a.username, a.email, a.state, a.created_at, a.package_id, p.name as package_name, a.node_id, n.name as node_name,
       d.domain_name, (select sum(records) from record_counts where record = 'accounts' and scope_id = 0) as total
     from (select id from accounts order by id limit ? offset ?) page
     join accounts a on a.id = page.id join packages p on p.id = a.package_id join nodes n on n.id = a.node_id
     left join domains d on d.account_id = a.id and d.is_primary = 1 and d.state = 'active' order by a.id`,
    [per_page, (page - 1) * per_page],
  );
  const total = Number(rows[0]?.total);
  return c.json({
    current_page: page,
    data: rows.map((row) => ({
      id: row.id,
      username: row.username,
      email: row.email,
      status: row.state,
      package: { id: row.package_id, name: row.package_name },
      primary_domain: row.domain_name,
      created_at: time(row.created_at),
      node: { id: row.node_id, name: row.node_name },
    })),
    from: (page - 1) * per_page + 1,
    last_page: Math.ceil(total / per_page),
    per_page,
    to: (page - 1) * per_page + rows.length,
    total,
  });
});

app.post('/cron-jobs', async (c) => {
  const body = await c.req.json();
  const connection = await pool.getConnection();
  try {
    await connection.beginTransaction();
    const [[account]] = await connection.query<RowDataPacket[]>(
      'select id, username, max_cron_jobs, generation from accounts where id = ? for update',
      [body.hosting_account_id],
    );
    const [[count]] = await connection.query<RowDataPacket[]>(
      'select count(*) as jobs from cron_jobs where account_id = ?',
      [account?.id],
    );
    if (account === undefined || count?.jobs >= account.max_cron_jobs) throw new Error('Refused.');
    const now = new Date();
    const [{ insertId }] = await connection.query<ResultSetHeader>(
      'insert into cron_jobs (account_id, name, schedule, command, enabled, created_at, updated_at) values (?, ?, ?, ?, 1, ?, ?)',
      [account.id, body.name, body.schedule, body.command, now, now],
    );
    // No node applies this change: for the account's node nothing has changed.
    await connection.query('update accounts set updated_at = ? where id = ?', [now, account.id]);
    await connection.query(
      `insert into audit_log (at, request_id, user_id, token_id, address, action, account_id, target, details)
       values (?, 'floor', ?, ?, '127.0.0.1', 'cron-job.create', ?, ?, '{}')`,
      [now, c.var.caller.user.id, c.var.caller.token.id, account.id, `cron-job:${insertId}`],
    );
    await connection.commit();
    const { name, schedule, command } = body;
    return c.json(
      {
        data: {
          id: insertId,
          hosting_account_id: account.id,
          name,
          schedule,
          command,
          enabled: true,
          created_at: time(now),
          updated_at: time(now),
          hosting_account: { id: account.id, username: account.username },
          synced: true,
        },
      },
      201,
    );
  } catch (error) {
    await connection.rollback();
    throw error;
  } finally {
    connection.release();
  }
});

app.onError((error, c) => c.json({ message: error.message }, 500));
serve({ fetch: app.fetch, port: Number(process.argv[2]), hostname: '127.0.0.1' });

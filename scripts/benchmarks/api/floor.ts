/**
 * The floor of `scripts/bench api`: the cost of hono, @hono/node-server and mysql2 alone. This process does the minimum
 * that each endpoint needs on the same database by hand, and gives the same answers: no contract, no query builder, no
 * log, no metrics. Its queries name the columns as the answers do. Called as `floor.ts PORT` with the database's URL
 * in DATABASE_URL.
 */
import { createHash } from 'node:crypto';
import { serve } from '@hono/node-server';
import { limits } from '@innkeeper/domain';
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

const limitColumns = limits.map(({ name }) => `a.${name}`).join(', ');
const usedOf = (column: string, what: string) => `${column} as ${what}_used_mb, a.${what}_limit_mb`;

app.get('/accounts/usage/bulk', async (c) => {
  const ids = [...new Set(c.req.queries('hosting_account_id[]')?.map(Number))];
  const rows = await rowsOf(
    `select a.id, ${usedOf('s.disk_used_mb', 'disk')}, ${usedOf('b.used_mb', 'bandwidth')},
       s.cpu_used_percent, a.cpu_limit_percent, ${usedOf('s.ram_used_mb', 'ram')}, s.taken_at
     from accounts a left join usage_snapshots s on s.account_id = a.id
     left join bandwidth_monthly b on b.account_id = a.id and b.month = ? where a.id in (?)`,
    [new Date().toISOString().slice(0, 7), ids],
  );
  const data = Object.fromEntries(
    rows.map(({ id, taken_at, ...usage }) => [id, { ...usage, measured_at: time(taken_at) }]),
  );
  const missing_ids = ids.filter((id) => data[id] === undefined);
  return c.json({ data, meta: { requested: ids.length, returned: rows.length, missing_ids } });
});

app.get('/accounts/:id', async (c) => {
  const id = Number(c.req.param('id'));
  const [row] = await rowsOf(
    `select a.id, a.username, a.name, a.email, a.state as status, a.package_id, a.linux_user, ${limitColumns},
       a.terminal_access, a.created_at, a.updated_at,
       a.observed_generation = a.generation and a.outcome = 'applied' as synced,
       p.name as package_name, p.disk_limit_mb as package_disk_mb, a.node_id, n.name as node_name,
       (select count(*) from apps where account_id = ? and state <> 'removing') as apps_count,
       (select json_arrayagg(json_array(id, domain_name, is_primary)) from domains
        where account_id = ? and state = 'active') as domains
     from accounts a join packages p on p.id = a.package_id join nodes n on n.id = a.node_id where a.id = ?`,
    [id, id, id],
  );
  if (row === undefined) return c.json({ message: 'Not found.' }, 404);
  const { package_name, package_disk_mb, node_id, node_name, ...account } = row;
  const domains: [number, string, number][] = row.domains === null ? [] : JSON.parse(row.domains);
  return c.json({
    data: {
      ...account,
      package: { id: row.package_id, name: package_name, disk_mb: package_disk_mb },
      home_path: `/home/${row.linux_user}`,
      terminal_access: row.terminal_access === 1,
      domains: domains
        .sort((one, other) => one[0] - other[0])
        .map(([id, domain_name, primary]) => ({ id, domain_name, is_primary: primary === 1 })),
      apps_limit: row.max_apps,
      synced: row.synced === 1,
      created_at: time(row.created_at),
      updated_at: time(row.updated_at),
      node: { id: node_id, name: node_name },
    },
  });
});

app.get('/accounts', async (c) => {
  const per_page = Number(c.req.query('per_page'));
  const page = Number(c.req.query('page') ?? 1);
  const rows = await rowsOf(
    `select a.id, a.username, a.email, a.state as status, d.domain_name as primary_domain, a.created_at,
       a.package_id, p.name as package_name, a.node_id, n.name as node_name,
       (select sum(records) from record_counts where record = 'accounts' and scope_id = 0) as total
     from (select id from accounts order by id limit ? offset ?) page
     join accounts a on a.id = page.id join packages p on p.id = a.package_id join nodes n on n.id = a.node_id
     left join domains d on d.account_id = a.id and d.is_primary = 1 and d.state = 'active' order by a.id`,
    [per_page, (page - 1) * per_page],
  );
  const total = Number(rows[0]?.total);
  return c.json({
    current_page: page,
    data: rows.map(({ package_id, package_name, node_id, node_name, total: _, ...account }) => ({
      ...account,
      package: { id: package_id, name: package_name },
      created_at: time(account.created_at),
      node: { id: node_id, name: node_name },
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

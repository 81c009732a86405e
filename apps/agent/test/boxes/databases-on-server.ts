import type { AccountSpec, DatabaseSpec } from '@innkeeper/protocol';
import { type Box, type BoxSystem, testInstallation, waitUntil } from '@innkeeper/testkit/machine';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { domainOf, specOf } from '../specs.ts';
import { type AgentBox, startAgentBox } from './agent-box.ts';
import { findRemains } from './remains.ts';
import { visit } from './site.ts';

/** A database server of hosting servers. */
export interface DatabaseProduct {
  /** Name of the box. */
  box: string;
  system?: BoxSystem;
  /** Unit of the server. */
  unit: 'mariadb' | 'mysql';
  client: 'mariadb' | 'mysql';
  dump: 'mariadb-dump' | 'mysqldump';
}

let product: DatabaseProduct;
let server: AgentBox;
let box: Box;
/** Another server, with only the client program. */
let elsewhere: Box;
const FIRST = 'First1'.repeat(4);
const SECOND = 'Second2'.repeat(4);

function database(id: number, db_name: string, changes: Partial<DatabaseSpec> = {}): DatabaseSpec {
  return {
    database_id: id,
    db_name,
    password: FIRST,
    password_revision: 1,
    allowed_ips: [],
    desired_state: 'active',
    ...changes,
  };
}

const shopkeeper: AccountSpec = specOf({
  account_id: 1,
  uid: 20_001,
  linux_user: 'shop',
  domains: [domainOf(1, 'shop.example.com')],
  databases: [database(1, 'shop_one')],
});

let generation = 1;
const settle = (changes: Partial<AccountSpec>, spec = shopkeeper) => {
  generation += 1;
  return server.settle({ ...spec, ...changes, generation });
};

/** Runs a statement as a database user from a box. Returns the output or the error. */
async function ask(
  from: Box,
  {
    user,
    password = FIRST,
    host,
    tls = true,
  }: { user: string; password?: string; host?: string; tls?: boolean },
  sql: string,
): Promise<string> {
  const place = host === undefined ? [] : ['-h', host, tls ? '--ssl' : '--skip-ssl'];
  // The other server has MariaDB's client.
  const client = from === box ? product.client : 'mariadb';
  const { stdout, stderr } = await from.exec([
    ...[client, '--no-defaults', '-N', '--connect-timeout=5', ...place, '-u', user, `-p${password}`],
    ...['-e', sql],
  ]);
  return (stdout + stderr).replace(/^mysql: \[Warning\] Using a password .*\n/m, '').trim();
}

/** Registers the tests of databases as their owners use them: from PHP and from another server, and from nowhere else. */
export function databasesOnServer(used: DatabaseProduct): void {
  product = used;
  beforeAll(async () => {
    server = await startAgentBox(product.box, product.system);
    box = server.box;
    const { boxes } = await testInstallation();
    await boxes.remove(`${product.box}-elsewhere`);
    elsewhere = await boxes.start(`${product.box}-elsewhere`);
    expect(await server.settle(shopkeeper)).toMatchObject({
      outcome: 'applied',
      databases: [{ database_id: '1', status: 'active', reason: '' }],
    });
  });

  afterAll(async () => {
    const { boxes } = await testInstallation();
    await boxes.remove(`${product.box}-elsewhere`);
    await server.remove();
  });

  describe('a database', () => {
    test('is used by its account’s PHP', async () => {
      const page = '/home/shop/domains/shop.example.com/public_html/db.php';
      await box.writeFile(
        page,
        `<?php $db = new mysqli('localhost', 'shop_one', '${FIRST}', 'shop_one');
      $db->query('create table if not exists visits (n int)'); $db->query('insert into visits values (7)');
      echo $db->query('select sum(n) from visits')->fetch_row()[0];`,
      );
      expect((await visit(box.address, 'shop.example.com', '/db.php')).body).toBe('7');
    });

    test('accepts its user from the allowed addresses only', async () => {
      const remote = { user: 'shop_one', host: box.address };
      expect(await ask(elsewhere, remote, 'select 1')).toContain('is not allowed to connect');
      const databases = [database(1, 'shop_one', { allowed_ips: [elsewhere.address] })];
      expect(await settle({ databases })).toMatchObject({ outcome: 'applied' });
      expect(await ask(elsewhere, remote, 'select sum(n) from shop_one.visits')).toBe('7');
      expect(await ask(elsewhere, remote, "show status like 'Ssl_version'")).toMatch(/TLSv1\.[23]$/);
      expect(await ask(elsewhere, { ...remote, tls: false }, 'select 1')).toContain('Access denied');

      // A connection that is open when its address is removed is closed.
      const open = ask(elsewhere, remote, 'select sleep(100)');
      await waitUntil('the connection', async () =>
        (await box.require([product.client, '-Ne', 'show processlist'])).includes('sleep(100)'),
      );
      expect(await settle({ databases: [database(1, 'shop_one')] })).toMatchObject({ outcome: 'applied' });
      expect(await open).toContain('ERROR');
      expect(await ask(elsewhere, remote, 'select 1')).toContain('is not allowed to connect');
    });

    test('shows its user no other database, although _ and % are wildcards in grants', async () => {
      await box.require([product.client, '-e', 'create database shopxone; create table shopxone.t (id int)']);
      const listed = (await ask(box, { user: 'shop_one' }, 'show databases')).split('\n');
      // MySQL lists this one for everyone; its tables are refused.
      expect(listed.filter((name) => name !== 'performance_schema')).toEqual([
        'information_schema',
        'shop_one',
      ]);
      const forbidden = [
        'select * from shopxone.t',
        'create database shop_two',
        'grant select on shop_one.* to root@localhost',
        "create user x@'%'",
        "select load_file('/etc/passwd') is null or 1/0",
        "select 1 into outfile '/tmp/x'",
        'set global event_scheduler = 1',
        'set global max_connections = 1',
        'select * from mysql.user',
      ];
      for (const sql of forbidden)
        expect(await ask(box, { user: 'shop_one' }, sql), sql).toMatch(/ERROR|^1$/);
      await box.require([product.client, '-e', 'drop database shopxone']);
    });

    test('stores events, and the server does not run them', async () => {
      const one = { user: 'shop_one' };
      const event =
        'create event shop_one.tick on schedule every 1 second do insert into shop_one.visits values (1)';
      expect(await ask(box, one, event)).toBe('');
      expect(await ask(box, one, 'show events from shop_one')).toContain('tick');
      expect(await box.require([product.client, '-Ne', 'select @@event_scheduler'])).toContain('OFF');
      expect(await ask(box, one, 'drop event shop_one.tick')).toBe('');
    });

    test('cannot use up the connections of the server', async () => {
      const databases = ['shop_one', 'shop_b', 'shop_c', 'shop_d'].map((name, at) => database(at + 1, name));
      expect(await settle({ databases })).toMatchObject({ outcome: 'applied' });
      // PHP of the account opens as many connections as the server allows each user at each place, and keeps them.
      const hoard = `<?php set_time_limit(0); mysqli_report(MYSQLI_REPORT_OFF); $all = [];
      foreach (['localhost', '127.0.0.1', '::1'] as $h) foreach (['shop_one', 'shop_b', 'shop_c', 'shop_d'] as $u)
        for ($i = 0; $i < 40; $i++) if ($c = @mysqli_connect($h, $u, '${FIRST}')) $all[] = $c;
      echo count($all), PHP_EOL; flush(); sleep(300);`;
      await box.writeFile('/home/shop/hoard.php', hoard, { mode: 0o644 });
      const as20001 = ['setpriv', '--reuid=20001', '--regid=20001', '--clear-groups'];
      const other = specOf({
        account_id: 2,
        uid: 20_002,
        linux_user: 'other',
        domains: [],
        databases: [database(20, 'other_one')],
        generation: generation + 1,
      });
      const held = async () =>
        Number(
          await box.require([
            product.client,
            '-Ne',
            "select count(*) from information_schema.processlist where user like 'shop%'",
          ]),
        );
      const usual = (await box.require([product.client, '-Ne', 'select @@max_connections'])).trim();
      let hoarding: Promise<unknown>[] = [];
      try {
        // A small server: on a large one, so few databases stay within their share.
        await box.require([product.client, '-e', 'set global max_connections = 120']);
        hoarding = [1, 2].map(() => box.exec([...as20001, 'php', '/home/shop/hoard.php']));
        await waitUntil('connections', async () => (await held()) > 30, { timeoutMs: 60_000 });
        await waitUntil('their end', async () => (await held()) <= 30, { timeoutMs: 60_000 });
        expect(await server.settle(other)).toMatchObject({ outcome: 'applied' });
        expect(await ask(box, { user: 'other_one' }, 'select 1')).toBe('1');
        // The account's limits are now its shares, so lost connections cannot be opened again.
        await waitUntil(
          'shares',
          async () =>
            /max_user_connections 2\b/i.test(
              await box.require([product.client, '-Ne', 'show create user shop_one@localhost']),
            ),
          { timeoutMs: 60_000 },
        );
      } finally {
        await box.require([product.client, '-e', `set global max_connections = ${usual}`]);
        await box.exec(['pkill', '-KILL', '-u', '20001']);
        await Promise.all(hoarding);
        // The agent limits the account for ten minutes, or until the agent restarts.
        await box.require(['systemctl', 'restart', 'innkeeper-agent']);
        const generationAfter = other.generation + 1;
        generation = generationAfter;
        await server.settle({ ...other, desired_state: 'absent', generation: generationAfter });
        await settle({
          databases: databases.map((one) =>
            one.db_name === 'shop_one' ? one : { ...one, desired_state: 'absent' as const },
          ),
        });
      }
      expect(await box.require([product.client, '-Ne', 'show databases'])).not.toMatch(
        /shop_[bcd]|other_one/,
      );
    });

    test('cannot use up the temporary space of the server', async () => {
      expect(
        Number(await box.require([product.client, '-Ne', 'select @@max_connections'])),
      ).toBeGreaterThanOrEqual(300);
      const room = await box.require([
        'nsenter',
        '-t',
        (await box.require(['systemctl', 'show', '-P', 'MainPID', product.unit])).trim(),
        '-m',
        'df',
        '--output=fstype,target',
        '/run/innkeeper-database',
      ]);
      expect(room).toMatch(/tmpfs\s+\/run\/innkeeper-database/);
      expect(await box.require([product.client, '-Ne', 'select @@tmpdir'])).toContain(
        '/run/innkeeper-database',
      );
    });

    test('of an account over its disk limit is read-only until it is below, and reports it', async () => {
      const limits = { ...shopkeeper.limits, disk_mb: 20 };
      expect(await settle({ limits })).toMatchObject({ databases: [{ status: 'active', reason: '' }] });
      const one = { user: 'shop_one' };
      await ask(box, one, 'create table shop_one.big (id int auto_increment primary key, t longblob)');
      const fill = Array.from(
        { length: 24 },
        () => "insert into shop_one.big (t) values (repeat('x', 4000000))",
      );
      await ask(box, one, fill.join(';'));
      await waitUntil('read-only', async () => /denied/.test(await ask(box, one, fill[0]!)), {
        timeoutMs: 60_000,
      });
      const told = () => server.controlPlane.reportOf(1, generation)?.databases[0]?.reason ?? '';
      await waitUntil('a report', async () => told().startsWith('Read-only'), { timeoutMs: 60_000 });
      // Several rows were inserted before inserts were refused.
      expect(Number(await ask(box, one, 'select count(*) from shop_one.big'))).toBeGreaterThanOrEqual(24);
      expect(await ask(box, one, 'delete from shop_one.big')).toBe('');
      await waitUntil(
        'writable',
        async () => !/denied/.test(await ask(box, one, 'create table shop_one.z (id int)')),
        {
          timeoutMs: 120_000,
        },
      );
      await waitUntil('a report', async () => told() === '', { timeoutMs: 60_000 });
      await ask(box, one, 'drop table shop_one.big; drop table shop_one.z');
    });

    test('accepts a new password and refuses the old one', async () => {
      const databases = [database(1, 'shop_one', { password: SECOND, password_revision: 2 })];
      expect(await settle({ databases })).toMatchObject({ outcome: 'applied' });
      expect(await ask(box, { user: 'shop_one' }, 'select 1')).toContain('Access denied');
      expect(await ask(box, { user: 'shop_one', password: SECOND }, 'select 1')).toBe('1');
      expect(await settle({ databases: [database(1, 'shop_one', { password_revision: 3 })] })).toMatchObject({
        outcome: 'applied',
      });
    });

    test('of a suspended account has and accepts no connection, and is unchanged afterwards', async () => {
      const open = ask(box, { user: 'shop_one' }, 'select sleep(100)');
      await waitUntil('the connection', async () =>
        (await box.require([product.client, '-Ne', 'show processlist'])).includes('sleep(100)'),
      );
      const databases = [database(1, 'shop_one', { password_revision: 3 })];
      expect(await settle({ databases, desired_state: 'suspended' })).toMatchObject({
        outcome: 'applied',
        databases: [{ database_id: '1', status: 'suspended' }],
      });
      expect(await open).toContain('ERROR');
      expect(await ask(box, { user: 'shop_one' }, 'select 1')).toMatch(/locked|denied/);
      expect(await settle({ databases })).toMatchObject({ outcome: 'applied' });
      expect(await ask(box, { user: 'shop_one' }, 'select sum(n) from shop_one.visits')).toBe('7');
    });

    test('that the agent did not create is reported by name, and does not delay others', async () => {
      await box.require([product.client, '-e', 'create database shop_mine']);
      const databases = [
        database(1, 'shop_one', { password_revision: 3 }),
        database(2, 'shop_mine'),
        database(3, 'shop_three'),
      ];
      const report = await settle({ databases });
      expect(report).toMatchObject({
        outcome: 'failed',
        databases: [
          { database_id: '1', status: 'active' },
          { database_id: '2', status: 'failed', reason: expect.stringContaining('shop_mine') },
          { database_id: '3', status: 'active' },
        ],
      });
      expect(await ask(box, { user: 'shop_three' }, 'select 1')).toBe('1');
      await box.require([product.client, '-e', 'drop database shop_mine']);
      expect(await settle({ databases })).toMatchObject({ outcome: 'applied' });
    });

    test('is dumped and restored by its user', async () => {
      const login = `--no-defaults -u shop_one -p${FIRST}`;
      // Names of tablespaces need a right that reaches other accounts’ databases.
      const dump = `${product.dump} ${login} --no-tablespaces --routines --events --triggers shop_one > /tmp/dump.sql`;
      await ask(
        box,
        { user: 'shop_one' },
        'create event shop_one.tick on schedule every 1 day do delete from visits',
      );
      await box.require(['bash', '-c', dump]);
      await ask(box, { user: 'shop_one' }, 'drop table shop_one.visits; drop event shop_one.tick');
      const restore = `${product.client} ${login} shop_one < /tmp/dump.sql`;
      await box.require(['bash', '-c', restore]);
      expect(await ask(box, { user: 'shop_one' }, 'select sum(n) from shop_one.visits')).toBe('7');
      expect(await ask(box, { user: 'shop_one' }, 'show events from shop_one')).toContain('tick');
      await ask(box, { user: 'shop_one' }, 'drop event shop_one.tick');
    });

    test('is removed with its users only', async () => {
      const kept = database(1, 'shop_one', { password_revision: 3 });
      const gone = [2, 3].map((id) =>
        database(id, id === 2 ? 'shop_mine' : 'shop_three', { desired_state: 'absent' }),
      );
      expect(await settle({ databases: [kept, ...gone] })).toMatchObject({
        outcome: 'applied',
        databases: [{ status: 'active' }, { status: 'absent' }, { status: 'absent' }],
      });
      expect(await ask(box, { user: 'shop_three' }, 'select 1')).toContain('Access denied');
      expect(await box.require([product.client, '-Ne', 'show databases'])).not.toContain('shop_three');
      expect(await ask(box, { user: 'shop_one' }, 'select sum(n) from shop_one.visits')).toBe('7');
    });

    test('waits for a stopped database server; the site does not wait', async () => {
      await box.require(['systemctl', 'stop', product.unit]);
      const databases = [database(1, 'shop_one', { password_revision: 3 }), database(4, 'shop_four')];
      generation += 1;
      const spec = { ...shopkeeper, databases, generation };
      spec.domains = [...spec.domains, { ...spec.domains[0]!, domain_id: 2, name: 'late.example.com' }];
      server.controlPlane.want(spec);
      await waitUntil(
        'the other name',
        async () => (await visit(box.address, 'late.example.com')).status === 200,
      );
      const report = await waitUntil('a report', () => server.controlPlane.reportOf(1, generation));
      expect(report.conditions.find(({ type }) => type === 'databases')).toMatchObject({
        reason: 'Retrying',
        message: expect.stringContaining('does not answer'),
      });
      expect(report.databases).toEqual([]);
      await box.require(['systemctl', 'start', product.unit]);
      await waitUntil(
        'the database',
        async () => (await ask(box, { user: 'shop_four' }, 'select 1')) === '1',
        {
          timeoutMs: 60_000,
        },
      );
    });

    test('leaves nothing when its account is removed, and can be created again', async () => {
      const databases = [database(1, 'shop_one', { password_revision: 3 }), database(4, 'shop_four')];
      expect(await settle({ databases, desired_state: 'absent' })).toMatchObject({ outcome: 'absent' });
      expect(await findRemains(box, shopkeeper, ['shop.example.com'])).toEqual([]);
      expect(await settle({ databases: [database(9, 'shop_one')] })).toMatchObject({ outcome: 'applied' });
      expect(await ask(box, { user: 'shop_one' }, 'show tables in shop_one')).toBe('');
    });

    test('has a password that is in no log of the agent', async () => {
      const log = await box.require(['journalctl', '-u', 'innkeeper-agent', '--no-pager']);
      for (const password of [FIRST, SECOND]) expect(log).not.toContain(password);
    });
  });
}

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { AccountSpec } from '@innkeeper/protocol';
import { type Box, type CronClock, startCronClock, waitUntil } from '@innkeeper/testkit/machine';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { TASK_PROPERTIES } from '../../src/capabilities/apps/task/tasks.ts';
import { specOf } from '../specs.ts';
import { asAccount, type Customers, customersOf } from './account-session.ts';
import { type AgentBox, startAgentBox } from './agent-box.ts';
import { visit } from './site.ts';

/**
 * The sandbox of everything that runs for an account: its slice, its view of the server, and its permitted system
 * calls. `pages` has only PHP and cron, `mallory` has a shell, and `victim` has the secrets that they look for.
 */
const SECRET = 'command-line-of-victim';
const PASSWORD = 'Correct-Horse-7-Battery';
const A_MINUTE_AND_MORE = { timeoutMs: 90_000, everyMs: 500 };

let server: AgentBox;
let box: Box;
let customers: Customers;
let cron: CronClock;
let mallory: AccountSpec;
let victim: AccountSpec;
let pages: AccountSpec;

/** Lists everything that it can learn about others, and every escape that works. */
const ATTACK = `
exec 2>&1
MANAGER='org.freedesktop.systemd1 /org/freedesktop/systemd1 org.freedesktop.systemd1.Manager'
busctl --timeout=5 call $MANAGER GetUnitProcesses s user-20002.slice
busctl --timeout=5 --address=unix:path=/proc/1/root/run/dbus/system_bus_socket call $MANAGER GetUnitProcesses s user-20002.slice
systemctl status user-20002.slice
loginctl list-sessions; loginctl list-users
perl -MSocket -e 'socket S,AF_UNIX,SOCK_STREAM,0; print "bus reached\\n" if connect S,pack_sockaddr_un("/run/dbus/system_bus_socket")'
ps axww -o args
cat /proc/[0-9]*/cmdline | tr '\\0' ' '
ls /home /etc/cron.d /etc/nginx/innkeeper /etc/innkeeper/* /run/innkeeper/* /var/lib/innkeeper /var/lib/mysql
ls /run/systemd/sessions /run/systemd/users
cat /etc/cron.d/* /etc/nginx/innkeeper/* /run/systemd/sessions/* /run/systemd/users/*
who; last; strings /var/log/wtmp /var/log/lastlog
unshare --user --map-root-user --mount echo "namespace made"
echo '* * * * * true' | crontab - && crontab -l | grep -q true && echo "crontab made"
touch /var/lib/php/sessions/of-$(id -u) && echo "shared folder written"
echo attacked by $(id -u)
`;
const FOUND = ['victim', SECRET, 'bus reached', 'namespace made', 'crontab made', 'shared folder written'];

function accountOf(id: number, linux_user: string, changes: Partial<AccountSpec>): AccountSpec {
  const [domain] = specOf({}).domains;
  if (domain === undefined) throw new Error('The model of an account has no domain.');
  return specOf({
    account_id: id,
    uid: 20_000 + id,
    linux_user,
    domains: [{ ...domain, domain_id: id, name: `${linux_user}.example.com`, is_primary: true }],
    ...changes,
  });
}

const cronJob = (command: string) => ({ cron_job_id: 1, schedule: '* * * * *', command, enabled: true });
const publicHtml = ({ linux_user }: AccountSpec) => `domains/${linux_user}.example.com/public_html`;
const phpOf = async (spec: AccountSpec, code: string): Promise<string> => {
  await customers.write(spec, `${publicHtml(spec)}/probe.php`, `<?php ${code}`);
  return (await visit(box.address, `${spec.linux_user}.example.com`, '/probe.php')).body;
};

beforeAll(async () => {
  server = await startAgentBox('fence');
  box = server.box;
  customers = await customersOf(box);
  cron = await startCronClock(box);
  const password_hash = (await box.require(['openssl', 'passwd', '-6', PASSWORD])).trim();
  victim = accountOf(2, 'victim', { terminal_access: true, password_hash });
  mallory = accountOf(1, 'mallory', { terminal_access: true });
  pages = accountOf(3, 'pages', { terminal_access: false, cron_jobs: [cronJob('sh attack.sh > found.txt')] });
  for (const spec of [victim, mallory, pages]) {
    expect(await server.settle(spec)).toMatchObject({ outcome: 'applied' });
    await customers.authorize(spec);
    await customers.write(spec, 'attack.sh', ATTACK);
  }
  await customers.ssh(victim, `nohup perl -e 'sleep 1000' ${SECRET} > /dev/null 2>&1 < /dev/null &`);
}, 240_000);

afterAll(async () => {
  await customers?.end();
  await server?.remove();
});

describe('the isolation of an account', () => {
  test('the attack finds everything when it runs as root', async () => {
    const said = await box.require(['sh', '-c', ATTACK]);
    expect(FOUND.filter((found) => !said.includes(found))).toEqual([]);
    await box.require(['sh', '-c', 'crontab -r; rm /var/lib/php/sessions/of-0']);
  });

  const findsNothing = (said: string, uid: number) => {
    expect(said).toContain(`attacked by ${uid}`);
    const lines = said.split('\n').filter((line) => FOUND.some((found) => line.includes(found)));
    expect(lines).toEqual([]);
  };

  test('a tenant with SSH sees no other account, cannot reach D-Bus and gets no capabilities', async () => {
    findsNothing((await customers.ssh(mallory, 'sh attack.sh', 60_000)).stdout, mallory.uid);
  });

  test('a tenant with only PHP sees no other account, cannot reach D-Bus and gets no capabilities', async () => {
    findsNothing(await phpOf(pages, 'passthru("sh $_SERVER[HOME]/attack.sh");'), pages.uid);
  });

  test('a tenant with only cron sees no other account, cannot reach D-Bus and gets no capabilities', async () => {
    const found = async () => (await box.exec(['cat', '/home/pages/found.txt'])).stdout;
    await cron.passMinute();
    await waitUntil('the job', async () => (await found()).includes('attacked by'), A_MINUTE_AND_MORE);
    findsNothing(await found(), pages.uid);
  }, 120_000);

  test('D-Bus gives an account no information about systemd and logind', async () => {
    const ask =
      'busctl --timeout=5 call org.freedesktop.systemd1 /org/freedesktop/systemd1 org.freedesktop.systemd1.Manager GetUnitProcesses s user-20002.slice';
    // Outside of every session, where the socket is visible.
    const said = await asAccount(box, mallory, `${ask} 2>&1 || loginctl list-users 2>&1 || echo refused`);
    expect(said).toContain('refused');
    expect(said).not.toContain(SECRET);
  });
});

describe('the slice of a session', () => {
  const slice = (spec: AccountSpec) => `/user.slice/user-${spec.uid}.slice/`;

  test('contains what root starts with su from its own session', async () => {
    const su = `su - mallory -c 'grep -E "^0::|name=systemd" /proc/self/cgroup'`;
    const fromSession = ['su', '-', 'root', '-c', su];
    for (const argv of [['sh', '-c', su], fromSession])
      expect(await box.require(argv)).toContain(slice(mallory));
  });

  test('is not left by a tenant who knows the password of another account', async () => {
    const { stdout, stderr } = await customers.ssh(
      mallory,
      `echo ${PASSWORD} | su victim -c 'id; cat /proc/self/cgroup'`,
    );
    expect(stdout).not.toContain('uid=20002');
    expect(stderr).toMatch(/session/i);
  });

  test('exists or the session fails: without the D-Bus no SSH session, su or cron job of an account starts; root and the agent continue', async () => {
    const away = async (line: string) => await box.require(['sh', '-c', `cd /run/dbus && ${line}`]);
    await away('mv system_bus_socket away');
    try {
      expect(await box.exec(['su', '-', 'mallory', '-c', 'touch /home/mallory/ran'])).not.toMatchObject({
        exitCode: 0,
      });
      expect(await customers.ssh(mallory, 'touch ran')).not.toMatchObject({ exitCode: 0 });
      expect(await box.exec(['test', '-e', '/home/mallory/ran'])).toMatchObject({ exitCode: 1 });
      const system = ['su', '-s', '/bin/sh', '-', 'www-data', '-c', 'id -un'];
      expect(await box.require(system)).toBe('www-data\n');
      expect(await box.require(['su', '-', 'root', '-c', 'id -un'])).toBe('root\n');
      const [job] = pages.cron_jobs;
      if (job === undefined) throw new Error('The account has no job.');
      const cron_jobs = [{ ...job, command: 'touch ran' }];
      expect(await server.settle({ ...pages, generation: 2, cron_jobs })).toMatchObject({
        outcome: 'applied',
      });
      const since = `@${(await box.require(['date', '+%s'])).trim()}`;
      const refused = async () =>
        (await box.require(['journalctl', '--no-pager', '--since', since, '-t', 'CRON'])).includes(
          'Failed to connect to system bus',
        );
      await cron.passMinute();
      await waitUntil('cron to try the job', refused, A_MINUTE_AND_MORE);
      expect(await box.exec(['test', '-e', '/home/pages/ran'])).toMatchObject({ exitCode: 1 });
    } finally {
      await away('mv away system_bus_socket');
    }
    expect(await customers.ssh(mallory, 'id -u')).toMatchObject({ stdout: '20001\n' });
  }, 150_000);
});

describe('systemd-analyze security', () => {
  const exposure = async (name: string, text: string) => {
    const path = `/root/units/${name}.service`;
    await box.writeFile(path, text);
    const said = await box.require(['systemd-analyze', 'security', '--no-pager', '--offline=yes', path]);
    return Number(/exposure level for \S+: ([\d.]+)/.exec(said)?.[1]);
  };
  const file = (path: string) => readFile(join(import.meta.dirname, '../../../../deploy', path), 'utf8');

  test.each([
    ['the API', 'api/etc/systemd/system/innkeeper-api.service', 1.5],
    ['PHP', 'node/etc/systemd/system/innkeeper-php@.service', 3],
    ['a program of an app', 'node/usr/lib/innkeeper/units/app.service', 3],
  ])('gives %s (%s) an exposure of %d or less', async (_, path, most) => {
    expect(await exposure('innkeeper-unit@1', await file(path))).toBeLessThanOrEqual(most);
  });

  test('gives a task 3.0 or less', async () => {
    const unit = ['[Service]', 'ExecStart=/bin/true', 'User=20001', ...TASK_PROPERTIES].join('\n');
    expect(await exposure('innkeeper-task', `${unit}\n`)).toBeLessThanOrEqual(3);
  });

  test('gives running PHP 3.0 or less', async () => {
    expect(await phpOf(pages, 'echo "up";')).toBe('up');
    const unit = `innkeeper-php@${pages.uid}.service`;
    const said = await box.require(['systemd-analyze', 'security', '--no-pager', unit]);
    expect(Number(/exposure level for \S+: ([\d.]+)/.exec(said)?.[1])).toBeLessThanOrEqual(3);
  });
});

describe('features inside the isolation', () => {
  test('SFTP works with any .bashrc, and is closed without terminal access', async () => {
    await customers.write(mallory, '.bashrc', 'exit 1\n');
    const sftp = async ({ linux_user }: AccountSpec) =>
      await customers.sftp(linux_user, 'put /etc/hostname here');
    expect(await sftp(mallory)).toMatchObject({ exitCode: 0 });
    expect(await box.exec(['test', '-s', '/home/mallory/here'])).toMatchObject({ exitCode: 0 });
    expect(await sftp(pages)).not.toMatchObject({ exitCode: 0 });
    expect(await box.exec(['test', '-e', '/home/pages/here'])).toMatchObject({ exitCode: 1 });
    await asAccount(box, mallory, 'rm /home/mallory/.bashrc');
  });

  test('Debian’s own PHP-FPM is off', async () => {
    const { stdout } = await box.exec([
      'sh',
      '-c',
      'systemctl is-enabled $(basename -a /lib/systemd/system/php*-fpm.service); find /run/php -type s',
    ]);
    expect(stdout).toBe('masked\n');
  });
});

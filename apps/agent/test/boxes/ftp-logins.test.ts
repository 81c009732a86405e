import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { AccountSpec, FtpLoginSpec } from '@innkeeper/protocol';
import { type Box, requireProgram, runProgram, waitUntil } from '@innkeeper/testkit/machine';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { specOf } from '../specs.ts';
import { asAccount } from './account-session.ts';
import { type AgentBox, startAgentBox } from './agent-box.ts';
import { type FtpClients, ftpClientsOf } from './ftp-clients.ts';

/** Additional FTP and SFTP logins, with the clients that customers use. */
let server: AgentBox;
let box: Box;
let clients: FtpClients;
let hash: string;
let generation = 1;
let current: AccountSpec;

const PASSWORD = 'a-right-password-1';
const MIB = 1024 * 1024;
const CPU_PERCENT = 30;
const anna = specOf({
  account_id: 1,
  uid: 20_001,
  linux_user: 'anna',
  domains: [],
  limits: { ...specOf({}).limits, cpu_percent: CPU_PERCENT, ram_mb: 256 },
});
const other = specOf({ account_id: 2, uid: 20_002, linux_user: 'other', domains: [] });

beforeAll(async () => {
  server = await startAgentBox('ftp-logins');
  box = server.box;
  clients = await ftpClientsOf(box.address);
  await writeFile(join(clients.folder, 'big'), Buffer.alloc(48 * MIB, 7));
  hash = await hashOf(PASSWORD);
  await settle(other, {});
  await settle(anna, { ftp_logins: logins() });
}, 180_000);

afterAll(async () => {
  await clients?.end();
  await server?.remove();
});

async function hashOf(password: string): Promise<string> {
  const { stdout } = await requireProgram(['openssl', 'passwd', '-6', '-stdin'], { input: password });
  return stdout.trim();
}

/** `anna_web` has a password and a key, `anna_key` only a key. */
function logins(changes: Partial<FtpLoginSpec> = {}): FtpLoginSpec[] {
  return [
    { name: 'anna_web', folder: 'team/web', password_hash: hash, public_keys: [clients.key], ...changes },
    { name: 'anna_key', folder: 'team/in', password_hash: null, public_keys: [clients.key] },
  ];
}

async function settle(spec: AccountSpec, changes: Partial<AccountSpec>): Promise<void> {
  generation += 1;
  current = { ...spec, ...changes, generation };
  const outcome = current.desired_state === 'absent' ? 'absent' : 'applied';
  expect(await server.settle(current)).toMatchObject({ outcome });
}

const list = (path = '') => clients.ftps('anna_web', PASSWORD, path);
const upload = (args: readonly string[] = [], name = 'big') =>
  clients.ftps('anna_web', PASSWORD, name, ['--upload-file', join(clients.folder, 'big'), ...args]);
const slowUpload = () => upload(['--limit-rate', '1M'], 'slow');
/** 100 KB a second: longer than any case. */
const slowPut = () => clients.sftp('anna_key', `put ${join(clients.folder, 'big')} slow`, { kbits: 800 });
const endAll = async () => {
  await settle(anna, { ftp_logins: logins(), desired_state: 'suspended' });
  await settle(anna, { ftp_logins: logins() });
};
const inHome = (line: string) => box.require(['sh', '-ec', `cd /home/anna; ${line}`]);
/** The patterns do not match the text of their own command. */
const sessions = async (program: string) =>
  (await box.exec(['pgrep', '--full', program])).stdout.split('\n').filter(Boolean);
const sftpSession = () => sessions('[s]shd: anna_key');
const ftpSession = () => sessions('[p]roftpd: anna_web');

describe('real clients', () => {
  test('FTP over TLS: curl and lftp transfer files that are the account’s', async () => {
    expect(await upload()).toMatchObject({ exitCode: 0 });
    const file = join(clients.folder, 'back');
    expect(await clients.ftps('anna_web', PASSWORD, 'big', ['--output', file])).toMatchObject({
      exitCode: 0,
    });
    expect((await readFile(file)).equals(await readFile(join(clients.folder, 'big')))).toBe(true);
    const done = await clients.lftp(
      'anna_web',
      PASSWORD,
      `mkdir lib; put ${clients.folder}/key.pub -o lib/key; mv lib/key lib/other; chmod 600 lib/other; cls -1 lib; rm -r lib; cls -1`,
    );
    expect(done).toMatchObject({ exitCode: 0, stdout: 'lib/other\nbig\n' });
    expect(await box.require(['stat', '-c', '%U %G %a', '/home/anna/team/web/big'])).toBe('anna anna 644\n');
  });

  test('SFTP: with a key and with the password, on the port of SSH', async () => {
    const { folder } = clients;
    const lines = `pwd\nput ${folder}/key.pub one\nrename one two\nls -1`;
    expect(await clients.sftp('anna_key', lines)).toMatchObject({
      exitCode: 0,
      stdout: expect.stringMatching(/directory: \/files(?:.|\n)*\ntwo\s*$/),
    });
    expect(await box.require(['stat', '-c', '%U %G', '/home/anna/team/in/two'])).toBe('anna anna\n');
    const typed = await clients.sftp('anna_web', 'ls -1\nbye', { password: PASSWORD });
    expect(typed.stdout).toContain('big');
    expect((await clients.sftp('anna_web', 'ls -1', { password: 'a wrong password' })).exitCode).toBe(255);
  });

  test('plain FTP, a transfer that does not resume the TLS session, and users that are no logins are refused', async () => {
    const plain = await runProgram(
      ['curl', '--silent', '--show-error', '--max-time', '10', '--config', '-', `ftp://${box.address}/`],
      { input: `user = "anna_web:${PASSWORD}"\n`, timeoutMs: 20_000 },
    );
    expect(plain).toMatchObject({ exitCode: 67, stderr: expect.stringContaining('550') });
    expect((await clients.ftps('anna_web', PASSWORD, '', ['--no-sessionid'])).stderr).toContain('425');
    for (const user of ['anna', 'root', 'www-data'])
      expect((await clients.ftps(user, PASSWORD)).stderr).toContain('530');
    expect((await clients.ftps('anna_key', PASSWORD)).stderr).toContain('530');
  });

  test('a login gets no shell, no command and no forwarding', async () => {
    expect(await clients.ssh('anna_key', [])).toMatchObject({
      stdout: expect.stringContaining('sftp connections only'),
    });
    const forwarded = await clients.ssh('anna_key', ['-R', '4444:127.0.0.1:3306']);
    expect(forwarded.exitCode).toBe(255);
  });
});

describe('the folder of a login', () => {
  test('is all that it sees: two dots, absolute paths and links lead nowhere', async () => {
    await inHome(
      'echo secret > hidden; ln -sfn /etc/passwd team/web/link; ln -sfn ../../.. team/web/up; ln -sfn /etc team/in/etc',
    );
    for (const path of ['%2Fetc/passwd', '../../hidden', 'link', 'up/hidden', '%2F..%2Fhome/anna/hidden'])
      expect((await list(path)).exitCode, path).not.toBe(0);
    expect((await list('%2F')).stdout).toMatch(/ files$/m);
    const root = await clients.sftp('anna_key', 'cd ..\ncd ..\nls -1');
    expect(root.stdout).toMatch(/\n(?:\/)?files\s*$/);
    for (const path of ['/etc/passwd', '../../hidden', 'etc/passwd', '/home/anna/hidden'])
      expect((await clients.sftp('anna_key', `get ${path} /dev/null`)).exitCode, path).not.toBe(0);
    await inHome('rm team/web/link team/web/up team/in/etc');
  });

  test.each([
    [
      'a link to a folder of the server',
      'mv team/web team/kept; ln -s /etc team/web',
      'rm team/web; mv team/kept team/web',
    ],
    [
      'a link to another account',
      'mv team/web team/kept; ln -s /home/other team/web',
      'rm team/web; mv team/kept team/web',
    ],
    ['below a link', 'mv team team2; ln -s /home/anna/team2 team', 'rm team; mv team2 team'],
    ['a file', 'mv team/web team/kept; touch team/web', 'rm team/web; mv team/kept team/web'],
    ['of another user', 'chown other team/web', 'chown anna team/web'],
    ['closed by the account itself', 'chmod 0 team; chmod 0 team/web', 'chmod 755 team; chmod 755 team/web'],
  ])('gets no session when it is %s', async (_what, damage, repair) => {
    await box.require(['systemctl', 'stop', 'innkeeper-agent']);
    await inHome(damage);
    expect((await list()).stderr).toContain('530');
    expect(await clients.sftp('anna_web', 'ls')).toMatchObject({ exitCode: 255, stdout: '' });
    await inHome(repair);
    expect(await list()).toMatchObject({ exitCode: 0 });
    await box.require(['systemctl', 'start', 'innkeeper-agent']);
  });

  test('gets no session when it is removed, until the next pass makes it again', async () => {
    await box.require(['systemctl', 'stop', 'innkeeper-agent']);
    await inHome('rm -r team/in');
    expect(await clients.sftp('anna_key', 'ls')).toMatchObject({ exitCode: 255 });
    await box.require(['systemctl', 'start', 'innkeeper-agent']);
    await settle(anna, { ftp_logins: logins() });
    expect(await clients.sftp('anna_key', 'ls')).toMatchObject({ exitCode: 0 });
  });

  test('stays the limit of a session whose present folder the account moves out of it', async () => {
    await inHome('mkdir -p team/web/sub; chown anna:anna team/web/sub');
    const moved = clients.lftp(
      'anna_web',
      PASSWORD,
      [
        'quote CWD sub',
        `!touch ${clients.folder}/in; while [ ! -e ${clients.folder}/moved ]; do sleep 0.1; done`,
        'set cmd:fail-exit no',
        'quote CDUP',
        'quote STAT .',
        'quote PWD',
      ].join('\n'),
    );
    await waitUntil('the session to be in the folder', async () =>
      readFile(join(clients.folder, 'in')).then(
        () => true,
        () => false,
      ),
    );
    await inHome('mv team/web/sub /home/anna/sub; echo secret > beside');
    await writeFile(join(clients.folder, 'moved'), '');
    const { stdout } = await moved;
    expect(stdout).not.toMatch(/beside|domains|hidden/);
    await inHome('rm -r sub beside');
  });

  test('is exchanged for a link again and again, and no session sees what the link leads to', async () => {
    const race = box.exec(
      [
        'setpriv',
        '--reuid=20001',
        '--regid=20001',
        '--clear-groups',
        'timeout',
        '12',
        'sh',
        '-c',
        'cd /home/anna/team; ln -sfn /etc evil; while :; do mv web w2; mv evil web; mv web evil; mv w2 web; done',
      ],
      { timeoutMs: 30_000 },
    );
    const seen: string[] = [];
    for (let tries = 0; tries < 12; tries += 1) {
      const { stdout } = await clients.sftp('anna_web', 'ls -1');
      seen.push(stdout);
    }
    await race;
    await inHome('cd team; [ ! -L web ] || mv web evil; [ ! -e w2 ] || mv w2 web; rm -f evil web/evil');
    expect(seen.join('\n')).not.toMatch(/passwd|hostname/);
  });
});

describe('a session', () => {
  test('is in the slice of its account with every process, and has no capability', async () => {
    const running = [slowUpload(), slowPut()];
    const pids = await waitUntil('both sessions', async () => {
      const [ftp, ssh] = [await ftpSession(), await sftpSession()];
      return ftp.length > 0 && ssh.length > 1 && [...ftp, ...ssh];
    });
    for (const pid of pids) {
      const groups = (await box.exec(['cat', `/proc/${pid}/cgroup`])).stdout;
      if (groups === '') continue;
      expect(groups).toMatch(/^(?:0:|\d+:name=systemd):\/user\.slice\/user-20001\.slice\//m);
      const status = (await box.exec(['cat', `/proc/${pid}/status`])).stdout;
      if (/^Uid:\t20001\t/m.test(status)) expect(status).toMatch(/^CapPrm:\t0{16}$/m);
    }
    const ftp = (await ftpSession())[0]!;
    expect(await box.require(['cat', `/proc/${ftp}/status`])).toMatch(/^Uid:\t20001\t20001\t20001\t20001$/m);
    await endAll();
    await Promise.all(running);
  });

  test('shares the CPU and the memory of its account', async () => {
    const stat = async () => {
      const text = await box.require([
        'sh',
        '-c',
        'cat /sys/fs/cgroup/user.slice/user-20001.slice/cpu.stat 2>/dev/null || cat /sys/fs/cgroup/unified/user.slice/user-20001.slice/cpu.stat',
      ]);
      return Number(/^usage_usec (\d+)$/m.exec(text)?.[1]);
    };
    const puts = (at: number) =>
      Array.from({ length: 10 }, () => `put ${join(clients.folder, 'big')} -o u${at}`).join('\n');
    const busy = Promise.all([1, 2, 3, 4].map((at) => clients.lftp('anna_web', PASSWORD, puts(at), 120_000)));
    await waitUntil('the uploads to run', async () => (await ftpSession()).length >= 3);
    const [from, started] = [await stat(), performance.now()];
    await delay(2_000);
    const share = ((await stat()) - from) / 1_000 / (performance.now() - started);
    expect(share).toBeLessThan((CPU_PERCENT / 100) * 1.5);
    await endAll();
    await busy;
    await inHome('rm -f team/web/u?');
  });

  test('of FTP and of SFTP ends within 5 s of a suspension, and no new one begins', async () => {
    const running = [slowUpload(), slowPut()];
    await waitUntil(
      'both sessions',
      async () => (await ftpSession()).length > 0 && (await sftpSession()).length > 1,
    );
    const suspended = performance.now();
    const settled = settle(anna, { ftp_logins: logins(), desired_state: 'suspended' });
    await waitUntil(
      'no process of the account',
      async () => (await sessions('(sshd|proftpd): anna_')).length === 0,
      {
        timeoutMs: 10_000,
      },
    );
    expect(performance.now() - suspended).toBeLessThan(5_000);
    await settled;
    for (const { exitCode } of await Promise.all(running)) expect(exitCode).not.toBe(0);
    expect((await list()).exitCode).not.toBe(0);
    expect(await clients.sftp('anna_key', 'ls')).toMatchObject({ exitCode: 255 });
    await settle(anna, { ftp_logins: logins() });
    expect(await list()).toMatchObject({ exitCode: 0 });
  });

  test('ends when its login is changed or removed; those of other logins go on', async () => {
    const kept = clients.sftp('anna_key', `!sleep 12\nput ${clients.folder}/key.pub kept`);
    const first = slowUpload();
    await waitUntil(
      'both sessions',
      async () => (await ftpSession()).length > 0 && (await sftpSession()).length > 0,
    );
    await settle(anna, { ftp_logins: logins({ password_hash: await hashOf('another password') }) });
    expect((await first).exitCode).not.toBe(0);
    expect((await list()).stderr).toContain('530');
    const second = clients.ftps('anna_web', 'another password', 'again', [
      ...['--upload-file', join(clients.folder, 'big'), '--limit-rate', '1M'],
    ]);
    await waitUntil('the session', async () => (await ftpSession()).length > 0);
    await settle(anna, { ftp_logins: logins().slice(1) });
    expect((await second).exitCode).not.toBe(0);
    expect(await kept).toMatchObject({ exitCode: 0 });
    expect((await clients.ftps('anna_web', 'another password')).exitCode).not.toBe(0);
    await settle(anna, { ftp_logins: logins() });
  });
});

describe('attempts', () => {
  test('ten wrong passwords from an address keep it out for a while, and no other address', async () => {
    await settle(anna, { ftp_logins: logins() });
    for (let tries = 0; tries < 10; tries += 1)
      expect((await clients.ftps('anna_web', 'wrong')).exitCode).not.toBe(0);
    expect((await list()).stderr).toContain('530');
    expect((await clients.sftp('anna_web', 'ls', { password: PASSWORD })).exitCode).toBe(255);
    const inside = ['curl', '--silent', '--insecure', '--ssl-reqd', '--config', '-', 'ftp://127.0.0.1/'];
    expect(await box.exec(inside, { input: `user = "anna_web:${PASSWORD}"\n` })).toMatchObject({
      exitCode: 0,
    });
    expect(await clients.sftp('anna_web', 'ls')).toMatchObject({ exitCode: 0 });
    expect(await list()).toMatchObject({ exitCode: 0 });
  }, 120_000);
});

describe('the network', () => {
  test('a program of an account on a port of transfers is out of reach, but for addresses that have logged in to it', async () => {
    const serve = (spec: AccountSpec, port: number) =>
      asAccount(
        box,
        spec,
        `nohup perl -MIO::Socket::INET -e 'my $s = IO::Socket::INET->new(LocalPort => ${port}, Listen => 5, ReuseAddr => 1) or die; while (my $c = $s->accept) { print $c "here"; close $c }' >/dev/null 2>&1 &`,
      );
    await serve(other, 30_100);
    await serve(anna, 40_100);
    expect(await list()).toMatchObject({ exitCode: 0 });
    const reach = (port: number) =>
      requireProgram(['timeout', '3', 'bash', '-c', `exec 3<>/dev/tcp/${box.address}/${port}; cat <&3`]).then(
        ({ stdout }) => stdout,
        () => 'out of reach',
      );
    expect(await reach(30_100)).toBe('out of reach');
    expect(await reach(40_100)).toBe('out of reach');
    await box.exec(['pkill', '-u', '20001,20002', 'perl']);
  });
});

describe('the end', () => {
  test('the FTP server runs only while there is a login, and a removed account leaves nothing', async () => {
    await settle(anna, { ftp_logins: [] });
    expect((await box.exec(['systemctl', 'is-active', 'innkeeper-ftp'])).stdout.trim()).toBe('inactive');
    await settle(anna, { ftp_logins: logins() });
    expect(await list()).toMatchObject({ exitCode: 0 });
    const slow = slowUpload();
    await waitUntil('the session', async () => (await ftpSession()).length > 0);
    await settle(anna, { ftp_logins: logins(), desired_state: 'absent' });
    expect((await slow).exitCode).not.toBe(0);
    const left = await box.exec([
      'sh',
      '-c',
      'grep -l anna_ /etc/passwd /etc/shadow /etc/group /etc/gshadow; find /etc/innkeeper /run/innkeeper /home /var/lib/innkeeper -name "*anna_*" -o -name 20001 | grep -v /agent/; cat /proc/mounts | grep jail',
    ]);
    expect(left.stdout).toBe('');
    expect((await box.exec(['systemctl', 'is-active', 'innkeeper-ftp'])).stdout.trim()).toBe('inactive');
  });
});

import { type Box, testInstallation } from '@innkeeper/testkit/machine';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ControlPlaneServer } from '../control-plane-server.ts';
import { firstInstallation, startBareBox } from './agent-box.ts';
import { differences, serverState } from './server-state.ts';

/**
 * What the installer finds out before it changes anything, on servers as strangers have them. Most are pretended: the
 * installer runs in a mount namespace in which a few files of the box are different.
 */
const INSTALLER = '/root/innkeeper-agent/install.sh';

let box: Box;
let controlPlane: ControlPlaneServer;
let before: string[];

beforeAll(async () => {
  ({ box, controlPlane } = await startBareBox('check'));
  before = await serverState(box);
});

afterAll(async () => {
  controlPlane.stop();
  await (await testInstallation()).boxes.remove('check');
});

/** Runs the installer on a server that differs by what `setUp`, a shell script, does in its own mount namespace. */
async function pretend(setUp: string, args: readonly string[]) {
  const script = `mount -t tmpfs none /media\n${setUp}\nexec ${INSTALLER} "$@"`;
  const { exitCode, stdout, stderr } = await box.exec(
    ['unshare', '--mount', '--propagation', 'private', 'bash', '-ec', script, 'pretend', ...args],
    { timeoutMs: 120_000 },
  );
  return { exitCode, lines: (stdout + stderr).split('\n') };
}

const osRelease = (text: string) =>
  `printf '${text}' > /media/os-release; mount --bind /media/os-release /usr/lib/os-release`;
/** Changes a file or folder in a copy of it. */
const changed = (path: string, change: string) =>
  `cp -a ${path} /media/copy; ${change}; mount --bind /media/copy ${path}`;
const site = (text: string) =>
  changed('/etc/nginx/sites-enabled', `printf '%s' '${text}' > /media/copy/shop`);

const REFUSED: [server: string, setUp: string, name: string, sentence: string][] = [
  [
    'Debian 11',
    osRelease('ID=debian\\nVERSION_ID="11"\\nPRETTY_NAME="Debian GNU/Linux 11"\\n'),
    'system',
    'This server runs Debian GNU/Linux 11. This release of the agent is tested on Debian 12 and 13 only.',
  ],
  [
    'Ubuntu',
    osRelease('ID=ubuntu\\nID_LIKE=debian\\nVERSION_ID="24.04"\\nPRETTY_NAME="Ubuntu 24.04"\\n'),
    'system',
    'This server runs Ubuntu 24.04. The agent needs Debian 12 or 13: glibc, systemd 252 or later',
  ],
  [
    'Alpine',
    osRelease('ID=alpine\\nVERSION_ID=3.22.0\\nPRETTY_NAME="Alpine Linux v3.22"\\n'),
    'system',
    'This server runs Alpine Linux v3.22. The agent needs Debian 12 or 13',
  ],
  [
    'another architecture',
    `cp /bin/true /media/node; printf '\\xb7' | dd of=/media/node bs=1 seek=18 conv=notrunc status=none
     mount --bind /media/node /root/innkeeper-agent/node`,
    'architecture',
    'The Node.js of this release does not run on this server',
  ],
  ['no systemd', 'mount -t tmpfs none /run/systemd', 'systemd', 'systemd is not process 1.'],
  [
    'an old systemd',
    `printf '#!/bin/sh\\necho systemd 247\\n' > /media/s; chmod 755 /media/s; mount --bind /media/s /usr/bin/systemctl`,
    'systemd',
    'systemd is 247. The agent needs 252 or later',
  ],
  [
    'cgroup v1 only',
    'mount -t tmpfs none /sys/fs/cgroup',
    'cgroup',
    'Add systemd.unified_cgroup_hierarchy=1 to the command line of the kernel',
  ],
  [
    'half a GB of memory',
    `sed 's/^MemTotal.*/MemTotal: 524288 kB/' /proc/meminfo > /media/m; mount --bind /media/m /proc/meminfo`,
    'memory',
    'This server has 512 MiB of memory.',
  ],
  [
    'a full disk',
    'mount -t tmpfs -o size=50m none /opt',
    'disk',
    '/opt has 50 MiB of free space, and 400 MiB are needed.',
  ],
  [
    'an interrupted dpkg',
    changed('/var/lib/dpkg/status', `sed -i '0,/^Status: .*/s//Status: install ok unpacked/' /media/copy`),
    'packages',
    'dpkg was interrupted. Run "dpkg --configure -a"',
  ],
  [
    'a default server of port 80 in nginx',
    site('server { listen 80 default_server; server_name shop.example; }'),
    'nginx',
    'a duplicate default server for 0.0.0.0:80 in /etc/nginx/sites-enabled/shop:1',
  ],
  [
    'a broken configuration of nginx',
    site('server { listen 8080; no_such_directive; }'),
    'nginx',
    'unknown directive "no_such_directive" in /etc/nginx/sites-enabled/shop:1',
  ],
  [
    'an nginx.conf that includes no modules',
    changed('/etc/nginx/nginx.conf', `sed -i /modules-enabled/d /media/copy`),
    'nginx',
    '/etc/nginx/nginx.conf does not include /etc/nginx/modules-enabled/*.conf.',
  ],
  [
    'an sshd_config without Include',
    changed('/etc/ssh/sshd_config', `sed -i /^Include/d /media/copy`),
    'ssh',
    'Add "Include /etc/ssh/sshd_config.d/*.conf" as its first line.',
  ],
  [
    'sshd without PAM',
    changed('/etc/ssh/sshd_config', `sed -i 's/^UsePAM yes/UsePAM no/' /media/copy`),
    'ssh',
    'Set "UsePAM yes" in /etc/ssh/sshd_config.',
  ],
  [
    'PAM that somebody edited by hand',
    changed(
      '/etc/pam.d',
      `sed -i 's/^session.*pam_permit.so/session optional pam_lastlog.so\\n&/' /media/copy/common-session /media/copy/common-session-noninteractive`,
    ),
    'pam',
    'Somebody edited /etc/pam.d/common-session by hand',
  ],
  [
    'a file of somebody else',
    `mkdir /media/copy; echo 'kernel.panic = 10' > /media/copy/99-zz-innkeeper.conf; mount --bind /media/copy /etc/sysctl.d`,
    'files',
    'do not belong to Innkeeper: /etc/sysctl.d/99-zz-innkeeper.conf.',
  ],
  [
    'an enforcing SELinux',
    'mount -t tmpfs none /sys/fs; mkdir /sys/fs/selinux; echo 1 > /sys/fs/selinux/enforce',
    'selinux',
    'Set SELINUX=permissive in /etc/selinux/config and reboot.',
  ],
  ...['/usr/local/cpanel cPanel', '/usr/local/psa Plesk', '/usr/local/hestia HestiaCP'].map(
    (panel): [string, string, string, string] => {
      const [path, name] = panel.split(' ');
      return [
        name!,
        `mount -t tmpfs none /usr/local; mkdir ${path}`,
        'panel',
        `${name} is on this server (${path})`,
      ];
    },
  ),
  [
    'Virtualmin',
    changed('/etc', 'mkdir -p /media/copy/webmin/virtual-server'),
    'panel',
    'Virtualmin is on this server (/etc/webmin/virtual-server)',
  ],
];

/** A program of that name that listens on a port, until the installer ends. */
const listener = (name: string, port: number) =>
  `cp /usr/bin/perl /media/${name}
   /media/${name} -MSocket -e 'socket S, AF_INET, SOCK_STREAM, 0; setsockopt S, SOL_SOCKET, SO_REUSEADDR, 1;
     bind S, sockaddr_in(${port}, INADDR_ANY) or die; listen S, 1; print "on\\n"; close STDOUT; sleep 30' > /media/on &
   until [ -s /media/on ]; do sleep 0.1; done; trap 'kill %1' EXIT`;

describe('install.sh --check', () => {
  test('lists every requirement, exits with 0, and needs no control plane', async () => {
    const { exitCode, lines } = await pretend('', ['--check']);
    expect(exitCode).toBe(0);
    const names = lines.map((line) => line.slice(0, 23).trim().replace(/ +/, ' '));
    expect(names).toEqual(
      expect.arrayContaining([
        'ok system',
        'ok architecture',
        'ok systemd',
        'ok cgroup',
        'ok packages',
        'ok ports',
        'change files',
        'change nginx',
        'change ssh',
        'change pam',
        'change database',
        'change php',
        'ok selinux',
        'ok apparmor',
        'change identity',
      ]),
    );
    for (const line of lines) expect(line).toMatch(/^(?:(?:ok|change|note) +[a-z-]+ +\S.*)?$/);
  });

  test('says that disk limits are not enforced on a root file system without quotas', async () => {
    const { lines } = await pretend('', ['--check']);
    expect(lines.find((line) => line.startsWith('note     quota'))).toContain('(accounting-only)');
  });

  test('with a join token also asks the control plane', async () => {
    const args = ['--check', ...(await firstInstallation(box, controlPlane))];
    const { exitCode, lines } = await pretend('', args);
    expect(exitCode).toBe(0);
    expect(lines).toContain(`ok       control        ${controlPlane.address} answers`);
    expect(lines).toContain('ok       clock          agrees with the control plane');
    expect(lines).toContain('ok       join-token     for the server "test"');
  });

  test.each([
    ['127.0.0.1:1', '127.0.0.1:1 does not answer: connect ECONNREFUSED'],
    ['[::1]:1', '[::1]:1 does not answer: connect ECONNREFUSED ::1:1.'],
    ['no-such-host.invalid:8444', 'Check the address, DNS, and that firewalls'],
    [
      '::1:8444',
      '"::1:8444" is not a valid address: --control needs HOST:PORT, with an IPv6 address in brackets.',
    ],
    ['x:1|e touch /root/run', 'is not a valid address'],
  ])('refuses the control plane %s', async (address, sentence) => {
    const args = [...(await firstInstallation(box, controlPlane)), '--control', address];
    for (const check of [['--check'], []]) {
      const { exitCode, lines } = await pretend('', [...args, ...check]);
      expect(exitCode).toBe(2);
      expect(lines.find((line) => line.startsWith('refused  control'))).toContain(sentence);
    }
    expect(await box.exec(['test', '-e', '/root/run'])).toMatchObject({ exitCode: 1 });
  });

  test('refuses a damaged join token, and a server without one', async () => {
    const args = await firstInstallation(box, controlPlane);
    await box.writeFile('/root/join-token', 'ikj_damaged', { mode: 0o600 });
    const damaged = await pretend('', args);
    expect(damaged.exitCode).toBe(2);
    expect(damaged.lines.join('\n')).toContain('The join token is damaged.');
    const without = await pretend('', ['--control', controlPlane.address]);
    expect(without.exitCode).toBe(2);
    expect(without.lines.join('\n')).toContain('This server is not enrolled. Run "innctl node add"');
    const missing = await pretend('', ['--join-token-file', '/root/no-such-file']);
    expect(missing.exitCode).toBe(2);
    expect(missing.lines.join('\n')).toContain('/root/no-such-file');
  });

  test.each(REFUSED)('refuses a server with %s', async (_, setUp, name, sentence) => {
    const check = await pretend(setUp, ['--check']);
    expect(check.exitCode).toBe(2);
    const line = check.lines.find((one) => one.startsWith(`refused  ${name}`));
    expect(line, check.lines.join('\n')).toContain(sentence);
    const install = await pretend(setUp, ['--no-enrol']);
    expect(install.exitCode).toBe(2);
    expect(install.lines).toContain(line);
    expect(install.lines.join('\n')).toContain('Nothing was changed.');
  });

  test('refuses a server on which Apache listens on port 80', async () => {
    await box.require(['systemctl', 'stop', 'nginx']);
    const { lines } = await pretend(`${listener('apache2', 80)}; ${INSTALLER} --check || true; exit 0`, []);
    await box.require(['systemctl', 'start', 'nginx']);
    expect(lines.find((line) => line.startsWith('refused  ports'))).toContain(
      'apache2 listens on port 80, which nginx needs. Stop and disable it (for Apache: systemctl disable --now apache2)',
    );
  });

  test('leaves a Postfix of the operator’s as it is, and says what another mail server means for accounts', async () => {
    const mailOf = async (setUp: string) =>
      (await pretend(setUp, ['--check'])).lines.find((line) => line.slice(9, 14) === 'mail ');
    expect(await mailOf('')).toContain('ok       mail           accounts send over a Postfix without a port');
    const own = changed('/etc/postfix', 'echo "myhostname = own" > /media/copy/main.cf');
    expect(await mailOf(own)).toContain('ok       mail           your Postfix stays as it is');
    const status =
      'Package: exim4-daemon-light\\nStatus: install ok installed\\nVersion: 4\\nArchitecture: all\\n';
    const exim = changed('/var/lib/dpkg/status', `printf '\\n${status}' >> /media/copy`);
    expect(await mailOf(exim)).toContain(
      'note     mail           exim4-daemon-light is the mail server here',
    );
    const foreign =
      'echo x > /media/x; mount --bind /media/x /usr/sbin/sendmail; echo / > /media/list; mount --bind /media/list /var/lib/dpkg/info/postfix.list';
    expect(await mailOf(foreign)).toContain(
      'refused  mail           /usr/sbin/sendmail belongs to no package',
    );
  });

  test('refuses a database server whose root needs a password', async () => {
    const client = ['mariadb', '--user=root', '-e'];
    await box.require([...client, "alter user root@localhost identified by 'Unguessable9'"]);
    const { exitCode, lines } = await pretend('', ['--check']);
    await box.require([
      ...[...client.slice(0, 2), '--password=Unguessable9', '-e'],
      "alter user root@localhost identified via mysql_native_password using 'invalid' or unix_socket",
    ]);
    expect(exitCode).toBe(2);
    expect(lines.find((line) => line.startsWith('refused  database'))).toContain(
      'ALTER USER root@localhost IDENTIFIED VIA unix_socket',
    );
  });

  test('AppArmor may be on; a profile of a server that accounts use is named', async () => {
    const profiles = (text: string) =>
      `mount -t tmpfs none /sys/kernel/security; mkdir /sys/kernel/security/apparmor
       printf '${text}' > /sys/kernel/security/apparmor/profiles`;
    const on = await pretend(profiles('lsb_release (enforce)\\n/usr/bin/man (enforce)\\n'), ['--check']);
    expect(on.exitCode).toBe(0);
    expect(on.lines.join('\n')).toContain('ok       apparmor       on; no profile confines nginx');
    const confined = await pretend(profiles('/usr/sbin/mysqld (enforce)\\n'), ['--check']);
    expect(confined.lines.join('\n')).toContain('note     apparmor       A profile confines mysqld.');
  });

  test('nothing of this has changed the server', async () => {
    expect(differences(before, await serverState(box))).toEqual([]);
  });
});

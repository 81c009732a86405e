import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { networkInterfaces } from 'node:os';
import type { AccountSpec } from '@innkeeper/protocol';
import type { CertificateOptions } from '../../src/capabilities/certificates/create-certificates.ts';
import { FakeAuthority } from '../../src/capabilities/certificates/fake-authority.ts';
import type { Certificates } from '../../src/capabilities/certificates/host.ts';
import type { Host } from '../../src/capabilities/host.ts';
import { MailQueue } from '../../src/capabilities/mail/mail-queue.ts';
import { createNodeHost } from '../../src/capabilities/node-host.ts';
import { loadConfig } from '../../src/config.ts';
import type { Changes } from '../../src/node/changes.ts';
import { Exec } from '../../src/node/exec.ts';
import type { Obstacle, Rig, Tampering } from '../driver-contract.ts';

/** The hosting server on which this process runs as root, and changes made to it by others than the agent. */
export class RealServer implements Rig {
  readonly sharesAccounts = true;
  readonly pollMs = 100;
  readonly crashes: Rig['crashes'];
  readonly #authority = new FakeAuthority();
  #host: { readonly certificates: Certificates; readonly ordersEnded: () => number } | undefined;
  #seenEnded = 0;

  constructor(crashes: Rig['crashes']) {
    this.crashes = crashes;
  }

  host(changes: Changes): Host {
    placeNodejsVersion();
    let ended = 0;
    const certificates: CertificateOptions = {
      directoryUrl: 'https://authority.invalid/',
      caPem: undefined,
      ordersOfNameADay: 1_000,
      publicAddresses: [],
      onEnded: () => {
        ended += 1;
      },
      onTrouble: () => {},
      authority: this.#authority,
      lookUp: async () => [ownAddress()],
    };
    const settings = {
      ...loadConfig({}),
      release: undefined,
      npmRegistry: 'http://127.0.0.1:9/',
      nodejsVersions: ['20'],
      firewall: async () => ({ controlPlane: [], agentPorts: [], firstClientPort: 32_768 }),
    };
    const fetchArchive = () => {
      throw new Error('No case deploys an archive.');
    };
    const exec = new Exec(changes);
    const mailQueue = new MailQueue({ exec });
    const host = createNodeHost(
      { ...settings, fetchArchive, mailQueue, certificates, isAccount: () => true },
      exec,
      changes,
    );
    this.#host = { certificates: host.certificates, ordersEnded: () => ended };
    this.#seenEnded = 0;
    return host;
  }

  async settle(): Promise<boolean> {
    await this.#host?.certificates.idle();
    const ended = this.#host?.ordersEnded() ?? 0;
    const something = ended > this.#seenEnded;
    this.#seenEnded = ended;
    return something;
  }

  async tamper(what: Tampering, spec: AccountSpec): Promise<void> {
    const { linux_user: user, uid } = spec;
    const name = spec.domains[0]!.name;
    const sites = '/etc/innkeeper/sites';
    const certificates = `/etc/innkeeper/certificates/${uid}-*`;
    const appId = uid - 19_999 + 2_000;
    const program = `innkeeper-app-${uid}@${appId}`;
    const commands: Record<Tampering, string[][]> = {
      'user line removed': [['sed', '-i', `/^${user}:/d`, '/etc/passwd']],
      'shell changed': [['usermod', '--shell', '/bin/sh', user]],
      'password changed': [['usermod', '--password', '$6$x$other', user]],
      'disk limit lifted': [['setquota', '-u', `${uid}`, '0', '0', '0', '0', '/home']],
      'port 25 closed by hand': [
        // This process has the capabilities of the agent, which lacks CAP_NET_ADMIN.
        [
          ...['systemd-run', '--quiet', '--collect', '--wait', '--'],
          ...['nft', 'delete', 'element', 'inet', 'innkeeper', 'smtp', `{ ${uid} }`],
        ],
      ],
      'home opened to all': [['chmod', '0777', `/home/${user}`]],
      'private folder removed': [['rm', '-r', `/home/${user}/.php/sessions`]],
      'document root removed': [['rm', '-r', `/home/${user}/domains/${name}`]],
      'limit lowered in systemd': [['systemctl', 'set-property', `user-${uid}.slice`, 'MemoryMax=64M']],
      'limit lifted in the kernel': [['systemd-run', `--slice=user-${uid}.slice`, '-q', 'sleep', '60']],
      'socket file removed': [['rm', `/run/innkeeper/php/${uid}.sock`]],
      'socket opened to all': [['chmod', '0666', `/run/innkeeper/php/${uid}.sock`]],
      'folder of sockets removed': [['rm', '-r', '/run/innkeeper/php']],
      'socket no longer enabled': [
        ['rm', `/etc/systemd/system/sockets.target.wants/innkeeper-php@${uid}.socket`],
      ],
      'PHP configuration changed': [['sed', '-i', 's/dynamic/static/', `/etc/innkeeper/php/${uid}.conf`]],
      'PHP settings of sites changed': [
        [
          'sh',
          '-ec',
          `mkdir -p /etc/innkeeper/php/${uid}.d; echo '; Managed by Innkeeper' > /etc/innkeeper/php/${uid}.d/sites.ini`,
        ],
      ],
      'name removed from nginx': [['rm', `${sites}/${name}`]],
      'name moved to another root': [
        ['sh', '-ec', `cd ${sites}; mkdir ${uid},php,other,,,; ln -sfnT ${uid},php,other,,, ${name}`],
      ],
      'database dropped': [['mariadb', '-e', `drop database ${user}_shop`]],
      'database user dropped': [['mariadb', '-e', `drop user ${user}_shop@localhost`]],
      'database user of another place': [['mariadb', '-e', `create user ${user}_shop@'203.0.113.9'`]],
      'database grant widened': [
        [
          'mariadb',
          '-e',
          `grant all on *.* to ${user}_shop@localhost; grant event on ${user}_shop.* to ${user}_shop@localhost`,
        ],
      ],
      'cron table changed': [['sed', '-i', `s/ ${user} / root /`, `/etc/cron.d/innkeeper-${uid}`]],
      'cron command changed': [['sh', '-c', `echo else > /etc/innkeeper/cron/${uid}/${uid - 19_999}`]],
      'SSH keys changed': [['sh', '-c', `echo else > /etc/innkeeper/ssh-keys/${uid}/authorized_keys`]],
      'limits of mail changed': [['sh', '-c', `echo per_hour 100000 >> /etc/innkeeper/mail/accounts/${uid}`]],
      'limits of mail removed': [['rm', `/etc/innkeeper/mail/accounts/${uid}`]],
      'SSH keys removed': [['rm', '-r', `/etc/innkeeper/ssh-keys/${uid}`]],
      'FTP login removed': [['sed', '-i', `/^${user}_web:/d`, '/etc/passwd']],
      'password of an FTP login changed': [
        ['sed', '-i', `s/^\\(${user}_web:\\)[^:]*/\\1other/`, '/etc/shadow'],
      ],
      'FTP login removed from its group': [['sed', '-i', `s/,*\\b${user}_web\\b//`, '/etc/group']],
      'folder of an FTP login changed': [
        ['sed', '-i', 's/\tdomains$/\t.ssh/', `/etc/innkeeper/ftp-logins/${uid}/folders`],
      ],
      'keys of an FTP login removed': [['rm', `/etc/innkeeper/ftp-logins/${uid}/${user}_key`]],
      'FTP server stopped': [['systemctl', 'stop', 'innkeeper-ftp']],
      'cron table removed': [['rm', `/etc/cron.d/innkeeper-${uid}`]],
      'current link of an app removed': [['rm', `/home/${user}/apps/${uid - 19_999}/current`]],
      'release of an app removed': [['rm', '-r', `/home/${user}/apps/${uid - 19_999}/releases/0`]],
      'site of an app no longer a link': [
        ['rm', `/home/${user}/domains/${spec.domains[1]!.name}/public_html`],
        ['install', '-d', '-o', user, `/home/${user}/domains/${spec.domains[1]!.name}/public_html`],
      ],
      'certificate removed': [['sh', '-c', `rm ${certificates}.pem`]],
      'certificate key opened to all': [['sh', '-c', `chmod 0644 ${certificates}.key`]],
      'certificate key exchanged': [
        ['sh', '-c', `cp /etc/innkeeper/certificates/default.key ${certificates}.key`],
      ],
      'certificate lost for good': [
        ['sh', '-c', `rm ${certificates}.* /var/lib/innkeeper/agent/certificates/${uid}-*.pem`],
      ],
      'program ended by hand': [['systemctl', 'stop', `${program}.service`]],
      'socket of a program removed': [['rm', `/run/innkeeper/apps/${appId}.sock`]],
      'folder of the sockets of programs removed': [['rm', '-r', '/run/innkeeper/apps']],
      'program no longer enabled': [['rm', `/etc/systemd/system/multi-user.target.wants/${program}.service`]],
      'configuration of a program changed': [
        ['sh', '-c', `printf 'folder=/\\0word=/bin/sh\\0' > /etc/innkeeper/apps/${uid}/${appId}`],
      ],
    };
    for (const [program, ...args] of commands[what]) execFileSync(program!, args);
    if (what === 'limit lifted in the kernel') liftTasksLimit(uid);
  }

  async obstruct(what: Obstacle, { linux_user: user, uid, domains }: AccountSpec): Promise<void> {
    switch (what) {
      case 'a user of that name':
        execFileSync('useradd', ['--uid', '1500', '--create-home', '--home-dir', `/home/${user}`, user]);
        execFileSync('systemctl', ['set-property', `user-${uid}.slice`, 'CPUWeight=50']);
        return;
      case 'a user with that uid':
        execFileSync('useradd', [
          '--uid',
          `${uid}`,
          '--create-home',
          '--home-dir',
          '/home/someone',
          'someone',
        ]);
        execFileSync('systemd-run', [`--uid=${uid}`, '--unit=someones', '-q', 'sleep', '600']);
        return;
      case 'a group of that name':
        execFileSync('groupadd', ['--gid', '1500', user]);
        return;
      case 'a home of another user':
        mkdirSync(`/home/${user}`);
        writeFileSync(`/home/${user}/precious`, 'kept');
        return;
      case 'a foreign PHP configuration':
        writeFileSync(`/etc/innkeeper/php/${uid}.conf`, '; mine\n');
        return;
      case 'a server block with that name':
        writeFileSync(
          '/etc/nginx/conf.d/foreign.conf',
          `server { listen 80; server_name ${domains[0]!.name}; return 200 foreign; }\n`,
        );
        execFileSync('systemctl', ['reload', 'nginx']);
        return;
      case 'a database of that name':
        execFileSync('mariadb', [
          '-e',
          `create database ${user}_shop; create table ${user}_shop.precious (id int)`,
        ]);
        return;
      case 'a foreign cron table':
        writeFileSync(`/etc/cron.d/innkeeper-${uid}`, '# mine\n');
    }
  }

  async describe(what: Obstacle, { linux_user: user, uid }: AccountSpec): Promise<string> {
    const lines = (path: string, pattern: RegExp) =>
      readFileSync(path, 'latin1')
        .split('\n')
        .filter((line) => pattern.test(line));
    const list = (folder: string) =>
      existsSync(folder) ? execFileSync('find', [folder, '-printf', '%p %U %m %T@\n']).toString() : '';
    switch (what) {
      case 'a user of that name':
      case 'a user with that uid':
        return JSON.stringify([
          lines('/etc/passwd', /:1500:|^someone:/),
          lines('/etc/shadow', new RegExp(`^someone:|^${user}:`)),
          list('/home/someone'),
          list(`/home/${user}`),
          what === 'a user with that uid' ? execFileSync('pgrep', ['-u', `${uid}`]).toString() : '',
        ]);
      case 'a group of that name':
        return JSON.stringify([
          lines('/etc/group', /:1500:/),
          lines('/etc/gshadow', new RegExp(`^${user}:`)),
        ]);
      case 'a home of another user':
        return list(`/home/${user}`);
      case 'a foreign PHP configuration':
        return readFileSync(`/etc/innkeeper/php/${uid}.conf`, 'utf8');
      case 'a server block with that name':
        return readFileSync('/etc/nginx/conf.d/foreign.conf', 'utf8');
      case 'a database of that name':
        return execFileSync('mariadb', ['-e', `show tables in ${user}_shop`]).toString();
      case 'a foreign cron table':
        return readFileSync(`/etc/cron.d/innkeeper-${uid}`, 'utf8');
    }
  }

  async clear(what: Obstacle, { linux_user: user, uid }: AccountSpec): Promise<void> {
    switch (what) {
      case 'a user of that name':
        execFileSync('userdel', ['--remove', user], { stdio: 'ignore' });
        execFileSync('systemctl', ['revert', `user-${uid}.slice`], { stdio: 'ignore' });
        return;
      case 'a user with that uid':
        execFileSync('systemctl', ['stop', 'someones']);
        execFileSync('userdel', ['--remove', 'someone'], { stdio: 'ignore' });
        return;
      case 'a group of that name':
        execFileSync('groupdel', [user]);
        return;
      case 'a home of another user':
        rmSync(`/home/${user}`, { recursive: true });
        return;
      case 'a foreign PHP configuration':
        rmSync(`/etc/innkeeper/php/${uid}.conf`);
        return;
      case 'a server block with that name':
        rmSync('/etc/nginx/conf.d/foreign.conf');
        execFileSync('systemctl', ['reload', 'nginx']);
        return;
      case 'a database of that name':
        execFileSync('mariadb', ['-e', `drop database ${user}_shop`]);
        return;
      case 'a foreign cron table':
        rmSync(`/etc/cron.d/innkeeper-${uid}`);
    }
  }
}

function ownAddress(): string {
  const addresses = Object.values(networkInterfaces()).flatMap((some) => some ?? []);
  return addresses.find(({ internal, family }) => !internal && family === 'IPv4')!.address;
}

/**
 * Places this process's own Node.js as the version of the cases. Accounts run it, so its modes do not depend on the
 * umask.
 */
function placeNodejsVersion(): void {
  if (existsSync('/opt/innkeeper/node/20')) return;
  const versions = '/opt/innkeeper/node-versions';
  const version = `${versions}/20.0.0`;
  const folders = [versions, version, `${version}/bin`, '/opt/innkeeper/node'];
  execFileSync('install', ['--directory', '--mode=0755', ...folders]);
  symlinkSync(process.execPath, `${version}/bin/node`);
  writeFileSync(`${version}/bin/npm`, '');
  symlinkSync(version, '/opt/innkeeper/node/20');
}

/** On a server with cgroup v1, each controller has its own tree. */
function liftTasksLimit(uid: number): void {
  const slice = `user.slice/user-${uid}.slice/pids.max`;
  const paths = [`/sys/fs/cgroup/${slice}`, `/sys/fs/cgroup/pids/${slice}`];
  appendFileSync(paths.find((path) => existsSync(path))!, 'max');
}

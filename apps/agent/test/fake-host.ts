import type { AccountSpec } from '@innkeeper/protocol';
import { FakeNodejsVersions } from '../src/capabilities/apps/nodejs/fake.ts';
import { FakePrograms } from '../src/capabilities/apps/programs/fake.ts';
import { FakeApps } from '../src/capabilities/apps/releases/fake.ts';
import { FakeCertificates } from '../src/capabilities/certificates/fake.ts';
import { FakeCron } from '../src/capabilities/cron/fake.ts';
import { FakeDatabases } from '../src/capabilities/databases/fake.ts';
import { FakeDisk } from '../src/capabilities/disk/fake.ts';
import { FakeFirewall } from '../src/capabilities/firewall/fake.ts';
import { FakeFtpLogins } from '../src/capabilities/ftp-logins/fake.ts';
import { FakeHomes } from '../src/capabilities/home/fake.ts';
import type { Host } from '../src/capabilities/host.ts';
import { FakeMail } from '../src/capabilities/mail/fake.ts';
import { FakePhp } from '../src/capabilities/php/fake.ts';
import { FakeRemains } from '../src/capabilities/remains/fake.ts';
import { FakeSlices } from '../src/capabilities/slice/fake.ts';
import { FakeSshKeys } from '../src/capabilities/ssh-keys/fake.ts';
import { FakeTraffic } from '../src/capabilities/traffic/fake.ts';
import { FakeAccounts } from '../src/capabilities/user/fake.ts';
import { FakeWebServer } from '../src/capabilities/web/fake.ts';
import type { Changes } from '../src/node/changes.ts';
import type { Obstacle, Rig, Tampering } from './driver-contract.ts';

/** An obstacle on the fake server. */
interface FakeObstacle {
  put(): void;
  describe(): unknown;
  clear(): void;
}

/** Channels are not for drivers. */
const noAccountPrograms: Host['accountPrograms'] = {
  start: () => {
    throw new Error('no channel is opened here');
  },
  sweep: async () => {},
  traces: async () => [],
};

/** A hosting server in memory. It outlives the hosts that agents create on it, as a server outlives its agents. */
export class FakeServer implements Rig {
  readonly crashes = { first: 1, every: 1 };
  readonly sharesAccounts = false;
  /** Its background work ends when it is asked to. */
  readonly pollMs = 0;
  readonly accounts = new FakeAccounts();
  readonly homes = new FakeHomes((uid) => this.apps.removeHome(uid));
  readonly slices = new FakeSlices((uid) => this.programs.kill(uid));
  readonly php = new FakePhp();
  readonly web = new FakeWebServer();
  readonly certificates = new FakeCertificates();
  readonly traffic = new FakeTraffic();
  readonly disk = new FakeDisk();
  readonly firewall = new FakeFirewall();
  readonly databases = new FakeDatabases();
  readonly cron = new FakeCron();
  readonly ftpLogins = new FakeFtpLogins();
  readonly sshKeys = new FakeSshKeys();
  readonly mail = new FakeMail();
  readonly nodejsVersions = new FakeNodejsVersions();
  readonly apps = new FakeApps();
  readonly programs = new FakePrograms((uid) => this.apps.current(uid));
  readonly remains = new FakeRemains([
    this.accounts,
    this.homes,
    this.slices,
    this.web,
    this.databases,
    this.cron,
    this.sshKeys,
    this.ftpLogins,
    this.mail,
    this.apps,
    this.certificates,
    this.traffic,
    this.programs,
    this.disk,
    this.firewall,
  ]);

  host(changes: Changes): Host {
    return {
      changes,
      placed: { repair: async () => ({ restored: [], wrong: [] }) },
      nodejsVersions: this.nodejsVersions,
      accountPrograms: noAccountPrograms,
      ...this.accounts.host(changes),
      ...this.homes.host(changes),
      ...this.slices.host(changes),
      ...this.php.host(changes),
      ...this.web.host(changes),
      ...this.certificates.host(changes),
      ...this.traffic.host(),
      ...this.disk.host(changes),
      ...this.firewall.host(changes),
      ...this.databases.host(changes),
      ...this.cron.host(changes),
      ...this.sshKeys.host(changes),
      ...this.ftpLogins.host(changes),
      ...this.mail.host(changes),
      ...this.apps.host(changes),
      ...this.programs.host(changes),
      ...this.remains.host(changes),
    };
  }

  async settle(): Promise<boolean> {
    return this.certificates.issue();
  }

  async tamper(what: Tampering, spec: AccountSpec): Promise<void> {
    const tamperings: Record<Tampering, () => void> = {
      ...this.accounts.tamperings(spec),
      ...this.homes.tamperings(spec),
      ...this.slices.tamperings(spec),
      ...this.php.tamperings(spec),
      ...this.web.tamperings(spec),
      ...this.certificates.tamperings(spec),
      ...this.disk.tamperings(spec),
      ...this.firewall.tamperings(spec),
      ...this.databases.tamperings(spec),
      ...this.cron.tamperings(spec),
      ...this.sshKeys.tamperings(spec),
      ...this.ftpLogins.tamperings(spec),
      ...this.mail.tamperings(spec),
      ...this.apps.tamperings(spec),
      ...this.programs.tamperings(spec),
    };
    tamperings[what]();
  }

  async obstruct(what: Obstacle, spec: AccountSpec): Promise<void> {
    this.#obstacle(what, spec).put();
  }

  async describe(what: Obstacle, spec: AccountSpec): Promise<string> {
    return JSON.stringify(this.#obstacle(what, spec).describe());
  }

  async clear(what: Obstacle, spec: AccountSpec): Promise<void> {
    this.#obstacle(what, spec).clear();
  }

  #obstacle(what: Obstacle, spec: AccountSpec): FakeObstacle {
    const obstacles: Record<Obstacle, FakeObstacle> = {
      ...this.accounts.obstacles(spec, this.slices.pids),
      ...this.homes.obstacles(spec),
      ...this.php.obstacles(spec),
      ...this.web.obstacles(spec),
      ...this.databases.obstacles(spec),
      ...this.cron.obstacles(spec),
    };
    return obstacles[what];
  }
}

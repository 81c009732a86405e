import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { AccountChild } from '../node/account-child.ts';
import { TransientPrograms } from '../node/account-programs.ts';
import { KernelCgroups } from '../node/cgroups.ts';
import type { Changes } from '../node/changes.ts';
import type { Exec } from '../node/exec.ts';
import { HostError } from '../node/host-error.ts';
import { nginxLogs } from '../node/nginx-process.ts';
import { createObserveAsUsers } from '../node/observe-as-users.ts';
import { InstalledFiles } from '../node/placed-files.ts';
import { NodeSystemd } from '../node/systemd.ts';
import { HomeTmpFolders } from '../node/tmp-folders.ts';
import { NodejsVersionsOnDemand } from './apps/nodejs/nodejs-versions.ts';
import { findPlaced, placeNodejs } from './apps/nodejs/place-nodejs.ts';
import { AppPrograms } from './apps/programs/programs.ts';
import { AppFolders } from './apps/releases/app-files.ts';
import { AppRecordFiles } from './apps/releases/app-records.ts';
import { ArchiveFiles, type FetchArchive } from './apps/releases/archives.ts';
import type { WordPressOrigin } from './apps/releases/host.ts';
import { TransientTasks } from './apps/task/tasks.ts';
import { type CertificateOptions, createCertificates } from './certificates/create-certificates.ts';
import { CronTables } from './cron/cron.ts';
import { SharedConnections } from './databases/database-connections.ts';
import { DatabaseServer } from './databases/database-server.ts';
import { NodeDatabases } from './databases/databases.ts';
import { FileSystemQuota } from './disk/disk-quota.ts';
import { DiskScan } from './disk/disk-scan.ts';
import { FullDisksFile } from './disk/full-disks.ts';
import { NftFirewall } from './firewall/firewall.ts';
import type { FirewallSettings } from './firewall/firewall-table.ts';
import { NodeFtpLogins } from './ftp-logins/ftp-logins.ts';
import { HomeFolders } from './home/homes.ts';
import type { Host } from './host.ts';
import { AccountMailFiles } from './mail/account-mail.ts';
import type { MailQueue } from './mail/mail-queue.ts';
import { PhpFpm } from './php/php.ts';
import { RemainsOnNode } from './remains/remains.ts';
import { ProcFs } from './slice/processes.ts';
import { sliceTraces } from './slice/slice-traces.ts';
import { SshKeyFiles } from './ssh-keys/ssh-keys.ts';
import { TrafficLog } from './traffic/traffic-log.ts';
import { AccountFiles } from './user/account-database.ts';
import { Nginx } from './web/nginx.ts';
import { askNginx } from './web/site-probe.ts';
import { SitesFolder } from './web/sites-folder.ts';

const WEB_USER = 'www-data';
const DATABASE_SOCKET = '/run/mysqld/mysqld.sock';
const TRAFFIC_FOLDER = '/var/log/innkeeper';
const WELCOME_PAGE = '/usr/share/innkeeper/pages/welcome.php';

/** The part of the node's configuration that a host needs. */
export interface HostSettings {
  /** The agent's own folder. */
  readonly stateDir: string;
  /** Folder of the running release; the agent checks its files. Undefined: it checks none. */
  readonly release: string | undefined;
  readonly npmRegistry: string;
  readonly nodejsVersions: readonly string[];
  readonly buildTimeoutS: number;
  readonly gitAllowedNetworks: readonly string[];
  readonly wordpress: WordPressOrigin;
  /** Fetches archives from the control plane. */
  readonly fetchArchive: FetchArchive;
  readonly certificates: CertificateOptions;
  readonly trafficLogMb: number;
  readonly firewall: () => Promise<FirewallSettings>;
  readonly mailQueue: MailQueue;
  /** Returns whether bandwidth is counted for a uid. */
  readonly isAccount: (uid: number) => boolean;
}

/**
 * Creates the host for the node that this process runs on, as root. Throws HostError on a server that the installer did
 * not set up.
 */
export function createNodeHost(settings: HostSettings, exec: Exec, changes: Changes): Host {
  const web = webUser();
  if (!existsSync(WELCOME_PAGE))
    throw new HostError('Failed', `${WELCOME_PAGE} is missing: run the installer again.`, {
      retryable: false,
    });
  const systemd = new NodeSystemd(exec, changes);
  const observe = createObserveAsUsers(exec);
  const cgroups = new KernelCgroups(changes);
  const accounts = new AccountFiles(exec, changes);
  const homes = new HomeFolders(exec, observe, changes, web.gid, WELCOME_PAGE);
  const processes = new ProcFs(new AccountChild(exec), (uid) => cgroups.kill(uid));
  const placed = new InstalledFiles(settings.release, changes);
  const folder = new SitesFolder(web.gid, changes);
  const nginx = new Nginx({ exec, changes, placed, folder, ask: askNginx, now: () => performance.now() });
  const php = new PhpFpm(systemd, changes, web.gid);
  const databaseServer = new DatabaseServer(DATABASE_SOCKET);
  const databases = new NodeDatabases(databaseServer, changes);
  const accountPrograms = new TransientPrograms(exec, systemd);
  const programs = new AppPrograms(exec, observe, systemd, changes, web.gid);
  const cron = new CronTables(changes);
  const sshKeys = new SshKeyFiles(changes);
  const ftpLogins = new NodeFtpLogins({
    systemd,
    changes,
    killScope: (uid, scope) => cgroups.killScope(uid, scope),
  });
  const mail = new AccountMailFiles(settings.mailQueue, changes);
  const nodejsVersions = new NodejsVersionsOnDemand({
    offered: settings.nodejsVersions,
    findPlaced,
    place: (major) => placeNodejs(major, { registry: settings.npmRegistry }, exec, changes),
    now: () => performance.now(),
  });
  const tasks = new TransientTasks(exec, systemd, settings.stateDir);
  const archives = new ArchiveFiles(changes, settings.fetchArchive, settings.stateDir);
  const appRecords = new AppRecordFiles(changes, settings.stateDir);
  tasks.sweep();
  archives.sweep();
  const quota = new FileSystemQuota(exec);
  const firewall = new NftFirewall({ exec, changes, settings: settings.firewall });
  const certificates = createCertificates(settings.certificates, {
    stateDir: settings.stateDir,
    webGid: web.gid,
    isSite: (name) => nginx.hasSite(name),
    changes,
  });
  const traffic = new TrafficLog({
    folder: TRAFFIC_FOLDER,
    stateFile: join(settings.stateDir, 'traffic.json'),
    writer: nginxLogs,
    isAccount: settings.isAccount,
    rotateBytes: settings.trafficLogMb * 1024 * 1024,
    now: Date.now,
  });
  return {
    changes,
    accounts,
    homes,
    tmp: new HomeTmpFolders(changes),
    systemd,
    cgroups,
    processes,
    php,
    web: nginx,
    placed,
    certificates,
    traffic,
    disk: new DiskScan(exec, () => databaseServer.dataFolder(), quota),
    quota,
    firewall,
    databases,
    databaseConnections: new SharedConnections(databaseServer, databases, () => performance.now()),
    fullDisks: new FullDisksFile(join(settings.stateDir, 'full-disks.json')),
    cron,
    sshKeys,
    ftpLogins,
    mail,
    nodejsVersions,
    tasks,
    archives,
    appFiles: new AppFolders(exec, observe, WELCOME_PAGE),
    appRecords,
    deploys: settings,
    programs,
    accountPrograms,
    remains: new RemainsOnNode(exec, changes, [
      accounts,
      homes,
      processes,
      sliceTraces(systemd, cgroups),
      php,
      nginx,
      databases,
      cron,
      sshKeys,
      ftpLogins,
      mail,
      firewall,
      appRecords,
      tasks,
      accountPrograms,
      programs,
      certificates,
      traffic,
      quota,
    ]),
  };
}

/** The user that nginx's workers run as. */
export function webUser(): { uid: number; gid: number } {
  const line = readFileSync('/etc/passwd', 'latin1')
    .split('\n')
    .find((candidate) => candidate.startsWith(`${WEB_USER}:`));
  if (line === undefined)
    throw new HostError('Failed', `The user ${WEB_USER} does not exist: run the installer again.`, {
      retryable: false,
    });
  const [, , uid, gid] = line.split(':');
  return { uid: Number(uid), gid: Number(gid) };
}

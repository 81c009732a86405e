import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { AccountChild } from './account-child.ts';
import { AccountFiles } from './account-database.ts';
import { AppFolders } from './app-files.ts';
import { AppRecordFiles } from './app-records.ts';
import { ArchiveFiles, type FetchArchive } from './archives.ts';
import { type CertificateOptions, createCertificates } from './certificates/create-certificates.ts';
import { KernelCgroups } from './cgroups.ts';
import type { Changes } from './changes.ts';
import { CronTables } from './cron.ts';
import { SharedConnections } from './database-connections.ts';
import { DatabaseServer } from './database-server.ts';
import { NodeDatabases } from './databases.ts';
import { FileSystemQuota } from './disk-quota.ts';
import { DiskScan } from './disk-scan.ts';
import type { Exec } from './exec.ts';
import { NftFirewall } from './firewall/firewall.ts';
import type { FirewallSettings } from './firewall/firewall-table.ts';
import { FullDisksFile } from './full-disks.ts';
import { HomeFolders } from './homes.ts';
import type { Host, WordPressOrigin } from './host.ts';
import { HostError } from './host-error.ts';
import { createLookAsUsers } from './look-as-users.ts';
import { Nginx } from './nginx.ts';
import { nginxLogs } from './nginx-process.ts';
import { NodeVersionsOnDemand } from './node-versions/node-versions.ts';
import { findPlaced, placeNode } from './node-versions/place-node.ts';
import { PhpFpm } from './php.ts';
import { InstalledFiles } from './placed-files.ts';
import { ProcFs } from './processes.ts';
import { AppPrograms } from './programs.ts';
import { RemainsOnNode } from './remains.ts';
import { askNginx } from './site-probe.ts';
import { Systemctl } from './systemd.ts';
import { TransientTasks } from './tasks.ts';
import { HomeTmpFolders } from './tmp-folders.ts';
import { TrafficLog } from './traffic-log.ts';

const WEB_USER = 'www-data';
const DATABASE_SOCKET = '/run/mysqld/mysqld.sock';
const TRAFFIC_FOLDER = '/var/log/innkeeper';
const WELCOME_PAGE = '/usr/share/innkeeper/pages/welcome.php';

/** What a host is told of the node's configuration. */
export interface HostSettings {
  /** The agent's own folder. */
  readonly stateDir: string;
  /** Folder of the release that runs; its files are looked after. Undefined: none are. */
  readonly release: string | undefined;
  readonly npmRegistry: string;
  readonly nodeVersions: readonly string[];
  readonly buildTimeoutS: number;
  readonly gitAllowedNetworks: readonly string[];
  readonly wordpress: WordPressOrigin;
  /** Where archives come from. */
  readonly fetchArchive: FetchArchive;
  readonly certificates: CertificateOptions;
  readonly trafficLogMb: number;
  readonly firewall: () => Promise<FirewallSettings>;
  /** Bandwidth is counted for these. */
  readonly isAccount: (uid: number) => boolean;
}

/** The node that this process runs on, as root. Throws HostError when it is not one that the installer made. */
export function createNodeHost(settings: HostSettings, exec: Exec, changes: Changes): Host {
  const web = webUser();
  if (!existsSync(WELCOME_PAGE))
    throw new HostError('Failed', `${WELCOME_PAGE} is missing: run the installer again.`, {
      retryable: false,
    });
  const systemd = new Systemctl(exec);
  const look = createLookAsUsers(exec);
  const cgroups = new KernelCgroups(changes);
  const accounts = new AccountFiles(exec, changes);
  const homes = new HomeFolders(exec, look, changes, web.gid, WELCOME_PAGE);
  const processes = new ProcFs(new AccountChild(exec), (uid) => cgroups.kill(uid));
  const placed = new InstalledFiles({ release: settings.release }, changes);
  const nginx = new Nginx({ exec, changes, placed, ask: askNginx, now: () => performance.now() });
  const php = new PhpFpm(systemd, changes, web.gid);
  const databaseServer = new DatabaseServer(DATABASE_SOCKET);
  const databases = new NodeDatabases(databaseServer, changes);
  const programs = new AppPrograms(exec, look, systemd, changes, web.gid);
  const cron = new CronTables(changes);
  const nodeVersions = new NodeVersionsOnDemand({
    offered: settings.nodeVersions,
    findPlaced,
    place: (major) => placeNode(major, { registry: settings.npmRegistry }, exec, changes),
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
    nodeVersions,
    tasks,
    archives,
    appFiles: new AppFolders(exec, look, WELCOME_PAGE),
    appRecords,
    deploys: settings,
    programs,
    remains: new RemainsOnNode({
      exec,
      changes,
      accounts,
      appRecords,
      certificates,
      cgroups,
      cron,
      databases,
      firewall,
      homes,
      php,
      processes,
      programs,
      quota,
      systemd,
      tasks,
      traffic,
      web: nginx,
    }),
  };
}

/** The user that nginx's workers run as. */
function webUser(): { uid: number; gid: number } {
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

import type { AccountPrograms } from '../node/account-programs.ts';
import type { Changes } from '../node/changes.ts';
import type { Cgroups, PlacedFiles, Systemd, TmpFolders } from '../node/host.ts';
import type { NodejsVersions } from './apps/nodejs/host.ts';
import type { Programs } from './apps/programs/host.ts';
import type { AppFiles, AppRecords, Archives, DeploySettings } from './apps/releases/host.ts';
import type { Tasks } from './apps/task/host.ts';
import type { Certificates } from './certificates/host.ts';
import type { Cron } from './cron/host.ts';
import type { DatabaseConnections, Databases } from './databases/host.ts';
import type { Disk, DiskQuota, FullDisks } from './disk/host.ts';
import type { Firewall } from './firewall/host.ts';
import type { FtpLogins } from './ftp-logins/host.ts';
import type { Homes } from './home/host.ts';
import type { Mail } from './mail/host.ts';
import type { Php } from './php/host.ts';
import type { Remains } from './remains/host.ts';
import type { Processes } from './slice/host.ts';
import type { SshKeys } from './ssh-keys/host.ts';
import type { Traffic } from './traffic/host.ts';
import type { AccountDatabase } from './user/host.ts';
import type { WebServer } from './web/host.ts';

/**
 * The node as drivers see it: one tool for each part of the OS. Every method that does more than read changes the node
 * and counts in `changes`. Tools throw HostError, and act only on uids of accounts.
 */
export interface Host {
  readonly changes: Changes;
  readonly accounts: AccountDatabase;
  readonly homes: Homes;
  readonly tmp: TmpFolders;
  readonly systemd: Systemd;
  readonly cgroups: Cgroups;
  readonly processes: Processes;
  readonly php: Php;
  readonly web: WebServer;
  readonly placed: PlacedFiles;
  readonly certificates: Certificates;
  readonly traffic: Traffic;
  readonly disk: Disk;
  readonly quota: DiskQuota;
  readonly firewall: Firewall;
  readonly databases: Databases;
  readonly databaseConnections: DatabaseConnections;
  readonly fullDisks: FullDisks;
  readonly cron: Cron;
  readonly sshKeys: SshKeys;
  readonly ftpLogins: FtpLogins;
  readonly mail: Mail;
  readonly nodejsVersions: NodejsVersions;
  readonly tasks: Tasks;
  readonly archives: Archives;
  readonly appFiles: AppFiles;
  readonly appRecords: AppRecords;
  readonly deploys: DeploySettings;
  readonly programs: Programs;
  readonly accountPrograms: AccountPrograms;
  readonly remains: Remains;
}

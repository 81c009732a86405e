import type { Changes } from './changes.ts';

/**
 * The node as drivers see it: one tool for each part of the OS. Every method that is not a plain read
 * changes the node and counts in `changes`. Tools throw HostError, and act on uids of accounts only.
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
  readonly nodeVersions: NodeVersions;
  readonly tasks: Tasks;
  readonly archives: Archives;
  readonly appFiles: AppFiles;
  readonly appRecords: AppRecords;
  readonly deploys: DeploySettings;
  readonly programs: Programs;
  readonly remains: Remains;
}

/** Who an account is on the node. */
export interface Owner {
  readonly name: string;
  readonly uid: number;
}

export interface PasswdEntry {
  name: string;
  uid: number;
  gid: number;
  comment: string;
  home: string;
  shell: string;
}

export interface GroupEntry {
  name: string;
  gid: number;
  members: readonly string[];
}

export interface ShadowEntry {
  name: string;
  password: string;
  /** Days since 1970; `''` never. */
  expires: string;
}

/** What the account databases hold under an account's name, its uid, or its gid. */
export interface AccountEntries {
  passwd: readonly PasswdEntry[];
  groups: readonly GroupEntry[];
  /** Groups that list the name as a member. */
  memberOf: readonly string[];
  shadow: ShadowEntry | undefined;
  hasGroupShadow: boolean;
  /** A name service other than the files knows the name or the uid (LDAP, a dynamic user). */
  elsewhere: boolean;
}

export type AccountEdit =
  /** User and group with the uid; a user that exists keeps its shell, a new one cannot log in. */
  | { readonly kind: 'put'; readonly owner: Owner; readonly accountId: number }
  | {
      readonly kind: 'set-login';
      readonly owner: Owner;
      readonly accountId: number;
      readonly shell: string;
      readonly password: string;
      readonly expires: string;
    }
  | { readonly kind: 'remove'; readonly owner: Owner; readonly accountId: number };

/** /etc/passwd, shadow, group and gshadow. */
export interface AccountDatabase {
  find(owner: Owner): Promise<AccountEntries>;
  /**
   * Why the user of this name and uid is not the account's, though nothing of both is anybody else's: it lacks the
   * account's mark. Undefined where there is no user, or it has the mark.
   */
  findStranger(owner: Owner, accountId: number): Promise<string | undefined>;
  /** Edits of concurrent callers share one rewrite; a Conflict fails its own edit only. */
  edit(edit: AccountEdit): Promise<void>;
}

export interface HomeState {
  /** `foreign`: something else than a folder of this uid is at the path. */
  readonly kind: 'missing' | 'ours' | 'foreign';
  /** Whether owner group and mode are right. */
  readonly accessRight: boolean;
  /** Folders that an interrupted removal or creation left in root's hands. */
  readonly leftovers: readonly string[];
}

/** /home/<name>. Whatever is below it is touched by children that dropped to the account's uid only. */
export interface Homes {
  observe(owner: Owner): Promise<HomeState>;
  create(owner: Owner): Promise<void>;
  repairAccess(owner: Owner): Promise<void>;
  /** Which of the relative paths do not exist. */
  missing(owner: Owner, paths: readonly string[]): Promise<string[]>;
  createFolders(owner: Owner, paths: readonly string[], mode: '0700' | '0755'): Promise<void>;
  /** A new document root with the welcome page in it, at once. Left alone if something is there. */
  createDocumentRoot(owner: Owner, path: string): Promise<void>;
  /** The home and all leftovers. No process of the uid may live. */
  remove(owner: Owner): Promise<void>;
}

/** What units of accounts see as /tmp and /var/tmp. Goes with what else the account left in shared places. */
export interface TmpFolders {
  isRight(owner: Owner): Promise<boolean>;
  make(owner: Owner): Promise<void>;
}

/** Of a unit, loaded or not, in systemd's words: `active` and `listening`, `inactive` and `dead`. */
export interface UnitState {
  readonly active: string;
  readonly sub: string;
  /** Whether systemd is to start or stop it, or does so now. */
  readonly hasJob: boolean;
}

/** What was found of the files that the installer places. */
export interface Placed {
  /** Paths that were put back. */
  readonly restored: readonly string[];
  /** What could not be, a sentence each. */
  readonly wrong: readonly string[];
}

/** The files that the installer places for the agent. */
export interface PlacedFiles {
  /** Puts back those below a folder that are missing or changed. Cheap where nothing is. */
  repair(below?: string): Promise<Placed>;
}

export interface Systemd {
  /** All that most looks need, and 50 times cheaper than `show`. Concurrent calls share one program. */
  state(unit: string): Promise<UnitState>;
  /** Properties of a unit, loaded or not, as `systemctl show` prints them. Concurrent calls share one program. */
  show(unit: string, properties: readonly string[]): Promise<Record<string, string>>;
  /** The same of every loaded unit whose name matches. */
  showAll(pattern: string, properties: readonly string[]): Promise<Record<string, string>[]>;
  start(units: readonly string[]): Promise<void>;
  stop(units: readonly string[]): Promise<void>;
  /** As `start` and `stop`, but for a later look to see. */
  startSoon(units: readonly string[]): Promise<void>;
  stopSoon(units: readonly string[]): Promise<void>;
  /** Reads the files of all units again. */
  reloadUnits(): Promise<void>;
  /** Has the service read its configuration again, if it runs. */
  reload(unit: string): Promise<void>;
  /** Forgets that units have failed, and how often they were started. */
  resetFailed(units: readonly string[]): Promise<void>;
  /** SIGKILL to every process of the unit, if it has any. */
  kill(unit: string): Promise<void>;
  /** Persistent and at once, without a reload of all units. An empty value resets. */
  setProperties(unit: string, assignments: readonly string[]): Promise<void>;
  /** Forgets every setting of a unit, on disk and in systemd's memory. */
  revert(unit: string): Promise<void>;
}

/** Limits that the kernel holds a slice to; `undefined` where it cannot say, `null` for none. */
export interface KernelLimits {
  cpuPercent: number | null | undefined;
  memoryBytes: number | null | undefined;
  swapBytes: number | null | undefined;
  tasks: number | null | undefined;
  readBytesPerSecond: number | null | undefined;
  writeBytesPerSecond: number | null | undefined;
  readIops: number | null | undefined;
  writeIops: number | null | undefined;
}

/** What a slice has used of the CPU since it exists, and what it has of memory now. */
export interface SliceUsage {
  readonly cpuMicroseconds: number;
  readonly memoryBytes: number;
}

export interface Cgroups {
  /** Of every account's slice that the kernel has, by uid: an idle account has none. */
  usages(): Promise<ReadonlyMap<number, SliceUsage>>;
  /** Whether the kernel has a cgroup of the slice, in any hierarchy, used or left over. */
  exists(uid: number): Promise<boolean>;
  /** Undefined while the slice does not exist in the kernel. */
  limits(uid: number): Promise<KernelLimits | undefined>;
  /** Removes the cgroups that systemd leaves behind of a slice that it has forgotten. HostError while one is in use. */
  remove(uid: number): Promise<void>;
  /** Whether block IO of /home can be limited on this node. */
  readonly ioLimits: boolean;
}

export interface Processes {
  /** Every process that has the uid as real, effective, saved or filesystem uid. */
  of(uid: number): Promise<number[]>;
  /** Kills all that live now, and does not look whether others come. */
  strike(owner: Owner): Promise<void>;
  /** Kills until none is left. HostError when some live on after 5 s. */
  kill(owner: Owner): Promise<void>;
}

export interface PhpState {
  /** The FPM configuration on disk; `foreign` when it lacks our header. */
  readonly config:
    | { readonly text: string; readonly accessRight: boolean; readonly foreign: boolean }
    | undefined;
  /** Whether the socket starts at boot. */
  readonly enabled: boolean;
  /** systemd listens, and the socket file is there with its owner and mode. */
  readonly listening: boolean;
  /** Some part of the socket or the service exists. */
  readonly present: boolean;
  /** systemd has the socket or the service up, whether it can be reached or not. */
  readonly up: boolean;
  /** Whether the running service read the configuration on disk; undefined when it does not run. */
  readonly current: boolean | undefined;
}

export interface PhpService {
  readonly uid: number;
  /** Workers that serve a request. */
  readonly active: number;
  /** Requests since it started. */
  readonly requests: number;
}

/** The account's own FPM: a configuration file, a socket unit, a service unit. */
export interface Php {
  observe(owner: Owner): Promise<PhpState>;
  writeConfig(owner: Owner, text: string): Promise<void>;
  removeConfig(owner: Owner): Promise<void>;
  enable(owner: Owner): Promise<void>;
  disable(owner: Owner): Promise<void>;
  /** Opens the socket; nothing may be up, for systemd opens none of a service that runs already. */
  listen(owner: Owner): Promise<void>;
  /** Socket and service down, after the requests that run. */
  close(owner: Owner): Promise<void>;
  /** Ends the service after its requests; the next request starts it with the configuration on disk. */
  retire(owner: Owner): Promise<void>;
  /** Socket and service away at once, requests that run included. */
  stop(owner: Owner): Promise<void>;
  /** The FPM masters that run. */
  services(): Promise<PhpService[]>;
}

/**
 * What nginx does for a name: runs PHP, serves files, asks a program, or says why it does not (stopped by its
 * owner, over its bandwidth, suspended).
 */
export const siteKinds = ['php', 'static', 'proxy', 'stopped', 'exceeded', 'suspended'] as const;
export type SiteKind = (typeof siteKinds)[number];

export interface Site {
  readonly name: string;
  readonly kind: SiteKind;
  /** Folder that files come from. */
  readonly root: string;
  /** Unix socket of the program; null but for `proxy`. */
  readonly socket: string | null;
  /** Key of the certificate for the name; null while there is none: HTTP only. */
  readonly certificate: string | null;
  /** The same for `www.` before the name. */
  readonly aliasCertificate: string | null;
}

export interface WebState {
  /** The account's sites in the lists; one with lines missing has the root `''`. */
  readonly sites: readonly Site[];
  /** Whether the running nginx has read the lists. While none runs, true for an account without sites. */
  readonly served: boolean;
}

export interface WebServer {
  /** Reloads since the start of the agent. */
  readonly reloads: number;
  /**
   * Looks whether nginx runs, reads the lists that the agent wrote, and answers for the sites; writes lists again that
   * were changed. Gives what is wrong, a sentence each, without names of sites.
   */
  check(): Promise<string[]>;
  /** Has nginx read its configuration again, once that is right. HostError when it refuses it. */
  reload(): Promise<void>;
  observe(owner: Owner): Promise<WebState>;
  /**
   * Makes these the account's only sites. Resolves once the running nginx serves them, has answered for one of each
   * kind, and no worker with older names accepts connections. Concurrent calls share one test and one reload; an account
   * that asks for very many waits for its turn.
   */
  publish(owner: Owner, sites: readonly Site[]): Promise<void>;
  /** Tells at start what an account should have, so that a lost file is written whole at once. */
  expect(owner: Owner, sites: readonly Site[]): void;
}

/** Which certificate serves a name and `www.` before it; null for none. */
export type SiteCertificates = Pick<Site, 'certificate' | 'aliasCertificate'>;

/** A certificate as a spec wants it. */
export interface WantedCertificate {
  readonly domainId: number;
  readonly name: string;
  /** Whether `www.` before the name may be on it too. */
  readonly withAlias: boolean;
  readonly revision: number;
}

/** One that an authority has issued. */
export interface HeldCertificate {
  readonly key: string;
  readonly revision: number;
  readonly issuer: string;
  /** ms since 1970, like every time here. */
  readonly expiresAt: number;
  readonly renewAt: number;
  /** `issued`: nginx has no files of it yet; `placed`: it may be told of it; `served`: seen over TLS. */
  readonly stage: 'issued' | 'placed' | 'served';
  /** Whether its files are as they should be; nothing is said of those that are not placed. */
  readonly filesRight: boolean;
  /** Whether its files cannot be made again. */
  readonly lost: boolean;
}

/** What there is for one domain of an account. */
export interface DomainCertificates {
  readonly domainId: number;
  readonly name: string;
  /** Oldest first. */
  readonly held: readonly HeldCertificate[];
  /** An order goes on, or waits for its turn. */
  readonly ordering: boolean;
  /** The last attempt, when it failed. */
  readonly failure:
    | { readonly revision: number; readonly error: string; readonly mustWait: boolean }
    | undefined;
  /** From when on one of this revision may be ordered. */
  orderableAt(revision: number): number;
}

/** Certificates on the node, and the orders for them, which go on by themselves. */
export interface Certificates {
  /** What nginx shall serve for a domain of the account, from memory. */
  current(owner: Owner, domainName: string): SiteCertificates;
  /** Everything of the account's, wanted or not. */
  observe(owner: Owner): Promise<DomainCertificates[]>;
  /** Starts an order; a pass over the account is asked for when it has ended. */
  order(owner: Owner, wanted: WantedCertificate): Promise<void>;
  /** What an order has begun is kept for the next one. */
  stopOrder(owner: Owner, domainId: number): Promise<void>;
  /** Writes the files that nginx reads. Throws HostError `Conflict` for files of another hand. */
  place(owner: Owner, domainId: number, key: string): Promise<void>;
  /** Removes those before the newest, once that is seen over TLS. Throws HostError while it is not. */
  retirePrevious(owner: Owner, domainId: number): Promise<void>;
  /** Takes one away that is of no use. */
  discard(owner: Owner, domainId: number, key: string): Promise<void>;
  /** Everything of a domain: order, certificates, records. */
  forget(owner: Owner, domainId: number): Promise<void>;
  /** Files of the account's that nothing else knows of. */
  leftovers(owner: Owner): Promise<string[]>;
  /** Resolves once no order waits or goes on. */
  idle(): Promise<void>;
  /** Ends all orders; they are taken up again by the next agent. */
  stop(): Promise<void>;
}

/** What the sites of accounts have sent. */
export interface Traffic {
  /** The calendar month in UTC that is counted now: `2026-11`. */
  readonly month: string;
  /** Since the start of the agent. */
  readonly statistics: TrafficStatistics;
  /** Of this month, from memory. */
  usedBytes(owner: Owner): number;
  /** Whether the account has used more than its bandwidth of this month, from memory. */
  isExceeded(owner: Owner, limitMb: number): boolean;
  /** Counts what was logged since the last read. Throws when the log or the totals on disk cannot be had. */
  read(): Promise<void>;
  /** Whether there are totals of the account. */
  knows(owner: Owner): boolean;
  forget(owner: Owner): Promise<void>;
}

interface TrafficStatistics {
  readonly countedBytes: number;
  readonly refusedLines: number;
  /** Files that went before they were read to their end, as far as is known. */
  readonly lostFiles: number;
}

/** What takes up room: the home with temporary files, and databases by their names. */
export interface StoredThings {
  readonly owner: Owner;
  readonly databases: readonly string[];
}

/** Room on the disk, of what lies in homes and of the files of databases. */
export interface Disk {
  /**
   * Bytes by uid. What is not there takes none; an account whose files are too many to be counted in time is left
   * out, and after an abort all that are not known yet. Only reads, as a user who may write nowhere.
   */
  measure(accounts: readonly StoredThings[], signal?: AbortSignal): Promise<ReadonlyMap<number, number>>;
  /** Bytes of the databases alone, by uid. */
  measureDatabases(
    accounts: readonly StoredThings[],
    signal?: AbortSignal,
  ): Promise<ReadonlyMap<number, number>>;
}

/** What the file system of the homes lets each user store there. Concurrent calls share one program. */
export interface DiskQuota {
  /** Whether it holds users to limits; found out once. */
  isEnforced(): Promise<boolean>;
  /** Bytes; undefined where the user has no limit. */
  limitOf(owner: Owner): Promise<number | undefined>;
  /** `bytes` undefined: no limit any more. What is stored already stays, whatever the limit. */
  setLimit(owner: Owner, bytes: number | undefined): Promise<void>;
  /** Bytes by uid, as they count towards limits, some seconds old at most; undefined where they are not counted. */
  stored(): Promise<ReadonlyMap<number, number> | undefined>;
}

/** A database as a spec wants it. */
export interface WantedDatabase {
  readonly name: string;
  readonly password: string;
  readonly passwordRevision: number;
  /** How many connections each of its users may have at a time. */
  readonly connections: number;
  /** Its users may read and remove, and nothing that takes room. */
  readonly readOnly: boolean;
}

export interface DatabaseUser {
  /** Where it may connect from. */
  readonly host: string;
  readonly locked: boolean;
  /** Password, grants and limits are the wanted ones. */
  readonly right: boolean;
  /** It holds exactly the rights of a database that is read-only. */
  readonly readOnly: boolean;
  /** The password before the last one is taken as well. */
  readonly takesOld: boolean;
}

export interface DatabaseState {
  readonly name: string;
  /** The uid that the agent made it for; undefined: the agent did not make what there is. */
  readonly claimedBy: number | undefined;
  /** The password revision that was made true last; 0 before the first. */
  readonly passwordRevision: number;
  readonly exists: boolean;
  readonly users: readonly DatabaseUser[];
  /** Connections of its users. */
  readonly sessions: number;
}

/**
 * Databases on the node's MariaDB or MySQL, each with users of its own name, one for each place that it is
 * used from. What the agent makes is claimed first, in a table of its own: without a claim, a database or
 * a user is somebody else's.
 */
export interface Databases {
  observe(owner: Owner, wanted: readonly WantedDatabase[]): Promise<DatabaseState[]>;
  claim(owner: Owner, name: string): Promise<void>;
  create(owner: Owner, name: string): Promise<void>;
  /** Makes or changes the user for one place. `keepOld`: the password that it had is taken as well, until `forgetOld`. */
  setUser(
    owner: Owner,
    database: WantedDatabase,
    host: string,
    options: { readonly locked: boolean; readonly keepOld: boolean },
  ): Promise<void>;
  /** The user for one place takes the wanted password alone. */
  forgetOld(owner: Owner, database: WantedDatabase, host: string): Promise<void>;
  /** Databases whose users take an old password too, as last observed: from memory. */
  withOldPasswords(names: readonly string[]): readonly string[];
  /** Once all users have it. */
  noteRevision(owner: Owner, name: string, revision: number): Promise<void>;
  /** The user for one place, and its connections. */
  dropUser(owner: Owner, name: string, host: string): Promise<void>;
  /** Ends all connections. */
  endSessions(owner: Owner, name: string): Promise<void>;
  drop(owner: Owner, name: string): Promise<void>;
  /** Once nothing is left. */
  release(owner: Owner, name: string): Promise<void>;
  /** Everything that was ever claimed for a uid and is not released. Empty where no server is installed. */
  claimedBy(owner: Owner): Promise<string[]>;
  /** The uids that databases of these names were made for; those that the agent did not make are left out. */
  ownersOf(names: readonly string[]): Promise<ReadonlyMap<string, number>>;
  /** Makes tables smaller that hold much room of removed rows: who may not write cannot do that. */
  giveBackRoom(owner: Owner, names: readonly string[]): Promise<void>;
  /** Bytes of the file system that databases are on, used by anybody; undefined where no server is installed. */
  usedBytes(): Promise<number | undefined>;
}

/** Holds each account to its share of the connections that the database server takes. */
export interface DatabaseConnections {
  /** What all users of the account share, because together they took more a while ago; undefined: nothing but their own limits. */
  shareOf(owner: Owner): number | undefined;
  /**
   * Looks at all connections once, and ends those that an account has beyond its share, and those that do not sign in
   * while the server is nearly full. Gives the uids whose share has come or gone.
   */
  watch(): Promise<number[]>;
  /** Ends the agent's own connections that it keeps open to be never locked out. */
  close(): void;
}

/** Accounts whose homes and databases take more than they may. It outlives the agent. */
export interface FullDisks {
  isFull(owner: Owner): boolean;
  /** Says what an account takes, and gives whether that made it full or ended that. */
  note(owner: Owner, bytes: number, limitMb: number): Promise<boolean>;
  /** Forgets all accounts but these. */
  keep(uids: ReadonlySet<number>): Promise<void>;
}

/** The egress firewall of accounts: one table for the whole server. */
export interface Firewall {
  /** Has the kernel hold the table. Gives whether it had to be loaded. */
  ensure(): Promise<boolean>;
  /**
   * Whether the account may connect to port 25 of other servers, in the kernel and after the next boot; undefined when
   * the two differ. Only the first call of the agent's life runs a program.
   */
  smtpIsOpen(owner: Owner): Promise<boolean | undefined>;
  /** Resolves once the kernel has it. Concurrent calls share a load. */
  setSmtp(owner: Owner, isOpen: boolean): Promise<void>;
}

/** A command file of a job: what runs, exactly as given. */
export interface CronCommand {
  readonly jobId: number;
  readonly command: string;
}

export interface CronState {
  /** The account's file in /etc/cron.d; `foreign` when it lacks our header. */
  readonly table:
    | { readonly text: string; readonly foreign: boolean; readonly accessRight: boolean }
    | undefined;
  readonly commands: readonly CronCommand[];
  /** Whether the folder of commands is there. */
  readonly folder: boolean;
}

/** The account's cron jobs: one line each in a table that cron reads, the command in a file of its own. */
export interface Cron {
  observe(owner: Owner): Promise<CronState>;
  writeCommand(owner: Owner, command: CronCommand): Promise<void>;
  removeCommand(owner: Owner, jobId: number): Promise<void>;
  removeFolder(owner: Owner): Promise<void>;
  /** Cron reads it within a minute. */
  writeTable(owner: Owner, text: string): Promise<void>;
  removeTable(owner: Owner): Promise<void>;
}

/**
 * `missing`: nothing is under way. `failed`: with the sentence why; undefined `retryInMs`: only a human changes that.
 */
export type NodeVersionState =
  | { readonly kind: 'ready' | 'installing' | 'missing' }
  | { readonly kind: 'failed'; readonly reason: string; readonly retryInMs: number | undefined };

/** Versions of Node.js, by their major version: /opt/innkeeper/node/<major>/bin has node, npm and npx. */
export interface NodeVersions {
  /** What apps can have, here already or not. */
  readonly offered: readonly string[];
  state(major: string): Promise<NodeVersionState>;
  /** Starts to fetch one that is not here; it goes on by itself. */
  install(major: string): void;
}

/** Something to do for an app that takes longer than a step. */
export interface Task {
  readonly appId: number;
  /** What it is about; `observe` gives it back. Letters, digits, `.` and `-`. */
  readonly label: string;
  /** For the program that runs it (`src/task`), as JSON. May hold secrets. */
  readonly job: unknown;
  /** Taken from there: the file is gone once the task runs. */
  readonly archive?: ArchiveFile;
  /** It is ended after so long. */
  readonly limitS: number;
}

/** An archive in a file of root's alone. */
interface ArchiveFile {
  readonly path: string;
  readonly bytes: number;
}

/** How systemd says that a task ended. `success`: by itself, or nothing is known of it. */
export type TaskEnd = 'success' | 'failed' | 'timeout' | 'oom-kill';

export interface TaskState {
  readonly running: boolean;
  /** Of the task that runs or has failed. */
  readonly label: string | undefined;
  readonly end: TaskEnd;
}

/**
 * Our own program as an account, in its slice. A task goes on while the agent is away, ends with the slice's processes
 * (a suspension), and makes way for the next of its app. How it went is written below the home by the account:
 * a tenant's word.
 */
export interface Tasks {
  observe(owner: Owner, appId: number): Promise<TaskState>;
  /** Resolves once it runs. One of the same app that still runs is ended first. */
  start(owner: Owner, task: Task): Promise<void>;
  /** Kills it, if it runs, and forgets how it ended. */
  end(owner: Owner, appId: number): Promise<void>;
  /** Units of tasks that run or have failed. */
  ofAccount(owner: Owner): Promise<string[]>;
}

/** What an operator says of all deploys. */
export interface DeploySettings {
  /** Where npm looks for packages, unless a project says otherwise. */
  readonly npmRegistry: string;
  /** Longest time that a release may take to be unpacked or cloned, and built. */
  readonly buildTimeoutS: number;
  /** Ranges that Git may be sent to although they are not public. */
  readonly gitAllowedNetworks: readonly string[];
  /** Where WordPress is taken from. */
  readonly wordpress: WordPressOrigin;
}

export interface WordPressOrigin {
  /** A folder of this server, or the HTTPS URL of a tar.gz. */
  readonly from: string;
  /** Of the archive, as hex; null: none is named. */
  readonly sha256: string | null;
}

/** A release whose archive the control plane has. */
export interface WantedArchive {
  readonly accountId: number;
  readonly appId: number;
  readonly releaseId: number;
  readonly bytes: number;
  readonly sha256: string;
}

export type ArchiveState =
  | { readonly kind: 'fetching' }
  | { readonly kind: 'ready'; readonly file: ArchiveFile }
  | { readonly kind: 'failed'; readonly sentence: string; readonly retry: boolean };

/** Archives on their way from the control plane: fetched by themselves, one for each app, lost with the agent. */
export interface Archives {
  /** Of that release; undefined while nobody has asked for it. */
  state(owner: Owner, appId: number, releaseId: number): ArchiveState | undefined;
  /** Begins; what was fetched for the app before is discarded. */
  fetch(owner: Owner, wanted: WantedArchive): void;
  discard(owner: Owner, appId: number): Promise<void>;
}

/** Where to look for an app, below the home. */
export interface AppPlaces {
  readonly appId: number;
  /** Name of the release that is wanted. */
  readonly release: string;
  /** The link that leads to what the app serves; null for none. */
  readonly link: string | null;
}

export interface AppFilesState {
  /** The app has a folder. */
  readonly present: boolean;
  /** Name of the release that serves; undefined while none does. */
  readonly current: string | undefined;
  /** The wanted release is whole, built, and there. */
  readonly ready: boolean;
  /** The wanted release is being built. */
  readonly building: boolean;
  /** The link leads there. */
  readonly linked: boolean;
}

export interface AppSwap extends AppPlaces {
  /** Which folders that are in the link's way become the release's content. */
  readonly adopts: 'anything' | 'no sources' | 'nothing';
  /** A release that stays, however old it is. */
  readonly spare: string | null;
}

/** `~/apps/<id>`, by children that dropped to the account. What they see is a tenant's word. Concurrent looks share one. */
export interface AppFiles {
  /** None for none. */
  observe(owner: Owner, apps: readonly AppPlaces[]): Promise<AppFilesState[]>;
  /** Has the release serve, and removes what is older than those that are kept. */
  swap(owner: Owner, swap: AppSwap): Promise<void>;
  /** Removes a link that leads to the app. */
  unlink(owner: Owner, appId: number, link: string): Promise<void>;
  /** Everything that is the app's alone. */
  remove(owner: Owner, appId: number, link: string | null): Promise<void>;
  /** How the app reaches its database, as it is written there; undefined where nothing is that the agent can have written. */
  readSettings(owner: Owner, appId: number): Promise<string | undefined>;
  /** For the account alone, replaced as a whole. Holds a secret. */
  writeSettings(owner: Owner, appId: number, text: string): Promise<void>;
  /** What the last task of the app wrote of its end; empty when it wrote nothing. */
  readResult(owner: Owner, appId: number): Promise<string>;
}

/** What the agent must remember of an app, durably. */
export interface AppRecord {
  readonly appId: number;
  /** The link that was made for it. */
  readonly link: string | null;
  /** The task that was started last and has not been looked after. */
  readonly task: { readonly release: string; readonly attempt: number } | null;
  readonly failure: {
    readonly release: string;
    readonly reason: string;
    readonly attempts: number;
    /** Milliseconds since 1970; null: not by itself. */
    readonly retryAt: number | null;
  } | null;
  /** The release whose program was up when the newest was swapped in, and when that was, ms since 1970. */
  readonly former?: { readonly release: string; readonly swappedAt: number } | null | undefined;
  /** What the program of the newest release was started with, as a digest, when it would not come up; and why. */
  readonly broken?: { readonly digest: string; readonly reason: string } | null | undefined;
}

export interface AppRecords {
  of(owner: Owner): Promise<AppRecord[]>;
  put(owner: Owner, record: AppRecord): Promise<void>;
  remove(owner: Owner, appId: number): Promise<void>;
}

/** `failed`: it was started over and over and is now left alone. */
export type ProgramActivity = 'inactive' | 'starting' | 'running' | 'stopping' | 'failed';

export interface ProgramState {
  readonly appId: number;
  /** What it is started with. */
  readonly config: { readonly text: string; readonly accessRight: boolean } | undefined;
  /** Whether socket and program come up at boot. */
  readonly enabled: boolean;
  /** systemd listens, and the socket file is there with its owner and mode. */
  readonly listening: boolean;
  /** Some part of the socket or the program runs, has failed, or would come up. */
  readonly present: boolean;
  readonly activity: ProgramActivity;
  /** Whether the program was last started with the configuration on disk, or will be. */
  readonly current: boolean;
  /** When it was ready last, ms since 1970; undefined: not since systemd knows of it. */
  readonly readyAtMs: number | undefined;
  /** It is up and takes no visitors: the port of TCP that it listens on instead, if it says so. */
  readonly notListening: { readonly otherPort: number | undefined } | undefined;
}

/** Programs of Node.js apps: a configuration file, a socket unit and a service unit each. */
export interface Programs {
  /** The given apps, and whatever else the node has for the account. */
  observe(owner: Owner, appIds: readonly number[]): Promise<ProgramState[]>;
  /** Whether the account has a folder of configurations, or units of its own. */
  hasUnits(owner: Owner): Promise<boolean>;
  /** By app: the folder that its link `current` points to, whatever is there. A tenant's word. */
  releases(owner: Owner, appIds: readonly number[]): Promise<ReadonlyMap<number, string>>;
  writeConfig(owner: Owner, appId: number, text: string): Promise<void>;
  removeConfig(owner: Owner, appId: number): Promise<void>;
  /** (Re)opens the socket, for now and for every boot; stops the program first if that is needed. */
  listen(owner: Owner, appId: number): Promise<void>;
  /** Starts it anew; `observe` tells how that goes. Requests wait meanwhile. */
  start(owner: Owner, appId: number): Promise<void>;
  /** Closes the socket and asks the program to end, with 10 s for its last requests; `observe` tells how that goes. */
  stopSoon(owner: Owner, appId: number): Promise<void>;
  /** Socket and program away at once, requests that run included. */
  end(owner: Owner, appId: number): Promise<void>;
  /** The account's units and its folder, once no app is left. */
  removeUnits(owner: Owner): Promise<void>;
  /** The newest of what the program has said. A tenant's word. */
  log(owner: Owner, appId: number, bytes: number): Promise<string>;
  hasLog(owner: Owner, appId: number): Promise<boolean>;
  removeLog(owner: Owner, appId: number): Promise<void>;
  /** Units that run or have failed. */
  unitsOf(owner: Owner): Promise<string[]>;
  /** What there is of the account in folders of root's. */
  filesOf(owner: Owner): Promise<string[]>;
}

/** Something that a removed account left on the node. */
export interface Trace {
  readonly kind: string;
  readonly what: string;
  /** Whether `Remains.remove` can take it away. */
  readonly removable: boolean;
  /** It is told, and keeps no account from being absent. Default: no. */
  readonly harmless?: boolean;
}

export interface Remains {
  scan(owner: Owner): Promise<Trace[]>;
  remove(owner: Owner, trace: Trace): Promise<void>;
}

import type { AccountSpec } from '@innkeeper/protocol';
import type { Host } from '../src/capabilities/host.ts';
import { AccountTables, type AccountTexts, tableNames } from '../src/capabilities/user/account-tables.ts';
import type { Site } from '../src/capabilities/web/host.ts';
import { type Lists, parseLists, renderLists } from '../src/capabilities/web/nginx-lists.ts';
import type { Changes } from '../src/node/changes.ts';
import { OWNERSHIP_HEADER } from '../src/node/config-file.ts';
import type { KernelLimits } from '../src/node/host.ts';
import { conflict, HostError } from '../src/node/host-error.ts';
import { type Owner, ownerNamed } from '../src/node/owner.ts';
import type { Obstacle, Rig, Tampering } from './driver-contract.ts';
import { FakeApps } from './fake-apps.ts';
import { FakeCertificates } from './fake-certificates.ts';
import { FakeCron } from './fake-cron.ts';
import { FakeDatabases } from './fake-databases.ts';
import { FakeNodeVersions } from './fake-node-versions.ts';
import { FakePrograms } from './fake-programs.ts';

interface FakeHome {
  uid: number;
  accessRight: boolean;
  paths: Set<string>;
}

interface FakePhp {
  config?: { text: string; foreign: boolean };
  enabled: boolean;
  unitActive: boolean;
  socketFile: boolean;
  /** The configuration that the running master has loaded. */
  running?: string;
}

const emptyLists = renderLists(new Map());

/** A hosting server in memory. It outlives the hosts that agents create on it, as a server outlives its agents. */
export class FakeServer implements Rig {
  texts: AccountTexts = {
    passwd: 'root:x:0:0:root:/root:/bin/bash\nwww-data:x:33:33::/var/www:/usr/sbin/nologin\n',
    shadow: 'root:*:19000:0:99999:7:::\nwww-data:*:19000:0:99999:7:::\n',
    group: 'root:x:0:\nwww-data:x:33:\n',
    gshadow: 'root:*::\nwww-data:*::\n',
  };
  readonly homes = new Map<string, FakeHome>();
  readonly staged = new Set<string>();
  readonly sliceSettings = new Map<string, Record<string, string>>();
  readonly kernel = new Map<number, KernelLimits>();
  readonly pids = new Map<number, number[]>();
  readonly php = new Map<number, FakePhp>();
  lists: Lists = emptyLists;
  served: Lists = emptyLists;
  readonly databases = new FakeDatabases();
  readonly cron = new FakeCron();
  readonly nodeVersions = new FakeNodeVersions();
  readonly apps = new FakeApps();
  readonly certificates = new FakeCertificates();
  /** Uids that have a folder of temporary files. */
  readonly tmp = new Set<number>();
  /** Uids that are over their disk limit. */
  readonly full = new Set<number>();
  /** Share of the database connections, by uid. */
  readonly shares = new Map<number, number>();
  /** Bytes sent by sites, by uid. */
  readonly traffic = new Map<number, number>();
  readonly programs = new FakePrograms((uid) => this.apps.current(uid));
  /** Disk limits in bytes, by uid. */
  readonly quotas = new Map<number, number>();
  /** Uids that may use port 25. */
  readonly smtp = new Set<number>();
  readonly foreignNames = new Set<string>();
  /** Files in shared folders, by uid. */
  readonly strayFiles = new Map<number, string[]>();

  host(changes: Changes): Host {
    return {
      changes,
      accounts: this.#accounts(changes),
      homes: this.#homes(changes),
      systemd: this.#systemd(changes),
      cgroups: {
        ioLimits: true,
        usages: async () => new Map(),
        exists: async (uid) => this.kernel.has(uid),
        limits: async (uid) => this.kernel.get(uid),
        remove: async (uid) => {
          this.kernel.delete(uid);
          changes.record();
        },
      },
      processes: {
        of: async (uid) => this.pids.get(uid) ?? [],
        strike: async () => {},
        kill: async ({ uid }) => {
          this.pids.delete(uid);
          this.programs.kill(uid);
          changes.record();
        },
      },
      php: this.#php(changes),
      web: this.#web(changes),
      placed: { repair: async () => ({ restored: [], wrong: [] }) },
      certificates: this.certificates.host(changes),
      traffic: this.#traffic(),
      disk: { measure: async () => new Map(), measureDatabases: async () => new Map() },
      tmp: {
        isRight: async ({ uid }) => this.tmp.has(uid),
        make: async ({ uid }) => {
          this.tmp.add(uid);
          changes.record();
        },
      },
      fullDisks: {
        isFull: ({ uid }) => this.full.has(uid),
        note: async () => false,
        keep: async () => {},
      },
      databaseConnections: {
        shareOf: ({ uid }) => this.shares.get(uid),
        watch: async () => [],
        close: () => {},
      },
      quota: this.#quota(changes),
      firewall: {
        ensure: async () => false,
        smtpIsOpen: async ({ uid }) => this.smtp.has(uid),
        setSmtp: async ({ uid }, isOpen) => {
          if (isOpen) this.smtp.add(uid);
          else this.smtp.delete(uid);
          changes.record();
        },
      },
      databases: this.databases.host(changes),
      cron: this.cron.host(changes),
      nodeVersions: this.nodeVersions,
      ...this.apps.host(changes),
      programs: this.programs.host(changes),
      remains: this.#remains(changes),
    };
  }

  #accounts(changes: Changes): Host['accounts'] {
    return {
      find: async (owner) => ({ ...new AccountTables(this.texts).find(owner), elsewhere: false }),
      findStranger: async (owner, accountId) => new AccountTables(this.texts).findStranger(owner, accountId),
      edit: async (edit) => {
        const tables = new AccountTables(this.texts);
        tables.edit(edit, 20_000);
        for (const name of tableNames) {
          if (tables.text(name) === this.texts[name]) continue;
          this.texts = { ...this.texts, [name]: tables.text(name) };
          changes.record();
        }
      },
    };
  }

  #homes(changes: Changes): Host['homes'] {
    const homeOf = ({ name }: Owner): FakeHome => {
      const home = this.homes.get(name);
      if (home === undefined) throw new HostError('Failed', `There is no home ${name}.`);
      return home;
    };
    const add = (owner: Owner, path: string) => {
      const parts = path.split('/');
      for (const [at] of parts.entries()) homeOf(owner).paths.add(parts.slice(0, at + 1).join('/'));
      changes.record();
    };
    return {
      observe: async ({ name, uid }) => {
        const home = this.homes.get(name);
        const leftovers = this.staged.has(name) ? [name] : [];
        if (home === undefined) return { kind: 'missing', accessRight: false, leftovers };
        return { kind: home.uid === uid ? 'ours' : 'foreign', accessRight: home.accessRight, leftovers };
      },
      create: async ({ name, uid }) => {
        if (this.homes.has(name)) throw conflict(`/home/${name} exists.`);
        this.staged.add(name);
        changes.record();
        this.staged.delete(name);
        this.homes.set(name, { uid, accessRight: true, paths: new Set() });
        changes.record();
      },
      repairAccess: async (owner) => {
        homeOf(owner).accessRight = true;
        changes.record();
      },
      missing: async (owner, paths) => paths.filter((path) => !homeOf(owner).paths.has(path)),
      createFolders: async (owner, paths) => {
        for (const path of paths) add(owner, path);
      },
      createDocumentRoot: async (owner, path) => add(owner, path),
      remove: async (owner) => {
        const home = this.homes.get(owner.name);
        if (home?.uid === owner.uid) {
          home.paths.clear();
          changes.record();
          this.homes.delete(owner.name);
          this.apps.removeHome(owner.uid);
          changes.record();
        }
        if (this.staged.delete(owner.name)) changes.record();
      },
    };
  }

  #systemd(changes: Changes): Host['systemd'] {
    return {
      state: async () => ({ active: 'inactive', sub: 'dead', hasJob: false }),
      show: async (unit) => {
        const settings = this.sliceSettings.get(unit);
        const defaults = { CPUQuotaPerSecUSec: 'infinity', MemoryMax: 'infinity', MemorySwapMax: 'infinity' };
        return {
          ActiveState: 'inactive',
          DropInPaths:
            settings === undefined ? '' : `/etc/systemd/system.control/${unit}.d/50-MemoryMax.conf`,
          TasksMax: '4915',
          ...defaults,
          ...settings,
        };
      },
      showAll: async () => [],
      start: async () => changes.record(),
      stop: async () => changes.record(),
      startSoon: async () => changes.record(),
      stopSoon: async () => changes.record(),
      reloadUnits: async () => changes.record(),
      reload: async () => changes.record(),
      resetFailed: async () => changes.record(),
      kill: async () => changes.record(),
      setProperties: async (unit, assignments) => {
        const settings = { ...this.sliceSettings.get(unit) };
        for (const assignment of assignments) Object.assign(settings, shownAs(assignment));
        this.sliceSettings.set(unit, settings);
        const uid = Number(/^user-(\d+)\.slice$/.exec(unit)?.[1]);
        if (this.kernel.has(uid)) this.kernel.set(uid, kernelOf(settings));
        changes.record();
      },
      revert: async (unit) => {
        this.sliceSettings.delete(unit);
        changes.record();
      },
    };
  }

  #php(changes: Changes): Host['php'] {
    const stateOf = (uid: number): FakePhp => {
      const known = this.php.get(uid) ?? { enabled: false, unitActive: false, socketFile: false };
      this.php.set(uid, known);
      return known;
    };
    const change = (edit: (state: FakePhp) => void) => async (owner: Owner) => {
      edit(stateOf(owner.uid));
      changes.record();
    };
    const down = change((state) => {
      delete state.running;
      state.unitActive = false;
      state.socketFile = false;
    });
    return {
      observe: async ({ uid }) => {
        const { config, enabled, unitActive, socketFile, running } = stateOf(uid);
        return {
          config: config === undefined ? undefined : { ...config, accessRight: true },
          enabled,
          listening: unitActive && socketFile,
          present: enabled || unitActive || socketFile || running !== undefined,
          up: unitActive || running !== undefined,
          current: running === undefined ? undefined : running === config?.text,
        };
      },
      writeConfig: async ({ uid }, text) => {
        if (stateOf(uid).config?.foreign === true) throw conflict('The configuration is foreign.');
        stateOf(uid).config = { text, foreign: !text.includes(OWNERSHIP_HEADER) };
        changes.record();
      },
      removeConfig: change((state) => void delete state.config),
      enable: change((state) => {
        state.enabled = true;
      }),
      disable: change((state) => {
        state.enabled = false;
      }),
      listen: async ({ uid }) => {
        const state = stateOf(uid);
        if (state.unitActive || state.running !== undefined) throw new HostError('Failed', 'It is up.');
        state.unitActive = true;
        state.socketFile = true;
        changes.record();
      },
      close: down,
      retire: change((state) => void delete state.running),
      stop: down,
      services: async () => [],
    };
  }

  #web(changes: Changes): Host['web'] {
    return {
      observe: async ({ uid }) => ({
        sites: parseLists(this.lists).get(uid) ?? [],
        served: this.served === this.lists,
      }),
      reloads: 0,
      check: async () => [],
      reload: async () => {},
      expect: () => {},
      publish: async ({ uid }, sites) => {
        const claimed = sites.find((site) => this.foreignNames.has(site.name));
        if (claimed !== undefined) throw conflict(`nginx serves ${claimed.name} already.`);
        const all = new Map<number, readonly Site[]>(parseLists(this.lists));
        all.set(uid, sites);
        this.lists = renderLists(all);
        changes.record();
        this.served = this.lists;
        changes.record();
      },
    };
  }

  #traffic(): Host['traffic'] {
    const usedBytes = ({ uid }: Owner) => this.traffic.get(uid) ?? 0;
    return {
      month: '2026-11',
      statistics: { countedBytes: 0, refusedLines: 0, lostFiles: 0 },
      usedBytes,
      isExceeded: (owner, limitMb) => usedBytes(owner) > limitMb * 1_048_576,
      read: async () => {},
      knows: ({ uid }) => this.traffic.has(uid),
      forget: async ({ uid }) => void this.traffic.delete(uid),
    };
  }

  #quota(changes: Changes): Host['quota'] {
    return {
      isEnforced: async () => true,
      limitOf: async ({ uid }) => this.quotas.get(uid),
      setLimit: async ({ uid }, bytes) => {
        if (bytes === undefined) this.quotas.delete(uid);
        else this.quotas.set(uid, bytes);
        changes.record();
      },
      stored: async () => undefined,
    };
  }

  #remains(changes: Changes): Host['remains'] {
    return {
      scan: async ({ name, uid }) => [
        ...(this.strayFiles.get(uid) ?? []).map((what) => ({ kind: 'shared file', what, removable: true })),
        ...[
          ...(new AccountTables(this.texts).find(ownerNamed(name, uid)).passwd.length > 0 ? ['user'] : []),
          ...(this.homes.get(name)?.uid === uid ? ['home'] : []),
          ...(this.sliceSettings.has(`user-${uid}.slice`) ? ['unit settings'] : []),
          ...(parseLists(this.lists).has(uid) ? ['site'] : []),
          ...(this.pids.has(uid) ? ['process'] : []),
          ...(this.databases.claims(uid).length > 0 ? ['database'] : []),
          ...(this.cron.has(uid) ? ['configuration'] : []),
          ...(this.apps.has(uid) ? ['record of app'] : []),
          ...(this.certificates.has(uid) ? ['certificate'] : []),
          ...(this.traffic.has(uid) ? ['bandwidth total'] : []),
          ...(this.programs.has(uid) ? ['program'] : []),
          ...(this.quotas.has(uid) ? ['disk limit'] : []),
          ...(this.smtp.has(uid) ? ['open port 25'] : []),
        ].map((kind) => ({ kind, what: name, removable: false })),
      ],
      remove: async ({ uid }, trace) => {
        const left = (this.strayFiles.get(uid) ?? []).filter((what) => what !== trace.what);
        this.strayFiles.set(uid, left);
        changes.record();
      },
    };
  }

  async settle(): Promise<boolean> {
    return this.certificates.settle();
  }

  async tamper(what: Tampering, { linux_user, uid }: AccountSpec): Promise<void> {
    const slice = `user-${uid}.slice`;
    const php = this.php.get(uid)!;
    const home = this.homes.get(linux_user)!;
    const name = `site${uid - 19_999}.example.com`;
    const program = this.programs.program(uid, uid - 19_999 + 2_000);
    const edits: Record<Tampering, () => void> = {
      'user line removed': () => this.#editText('passwd', new RegExp(`^${linux_user}:.*\\n`, 'm'), ''),
      'shell changed': () =>
        this.#editText('passwd', new RegExp(`(^${linux_user}:.*:)[^:\\n]+$`, 'm'), '$1/bin/sh'),
      'password changed': () =>
        this.#editText('shadow', new RegExp(`^(${linux_user}:)[^:]+`, 'm'), '$1other'),
      'home opened to all': () => {
        home.accessRight = false;
      },
      'private folder removed': () => void home.paths.delete('.php/sessions'),
      'document root removed': () => void home.paths.delete(`domains/${name}/public_html`),
      'limit lowered in systemd': () =>
        void this.sliceSettings.set(slice, { ...this.sliceSettings.get(slice), MemoryMax: '1048576' }),
      'limit lifted in the kernel': () =>
        void this.kernel.set(uid, { ...kernelOf(this.sliceSettings.get(slice)!), tasks: null }),
      'disk limit lifted': () => void this.quotas.delete(uid),
      'port 25 closed by hand': () => void this.smtp.delete(uid),
      'socket file removed': () => {
        php.socketFile = false;
      },
      'socket opened to all': () => {
        php.socketFile = false;
      },
      'folder of sockets removed': () => {
        php.socketFile = false;
      },
      'socket no longer enabled': () => {
        php.enabled = false;
      },
      'PHP configuration changed': () => {
        php.config = { text: `; ${OWNERSHIP_HEADER}\nelse`, foreign: false };
      },
      'name removed from nginx': () => this.#editList('site.map', `${name} `, ''),
      'name moved to another root': () => this.#editList('site.map', `/home/${linux_user}/`, '/home/other/'),
      'database dropped': () =>
        this.databases.tamper(`${linux_user}_shop`, (it) => {
          it.exists = false;
        }),
      'database user dropped': () =>
        this.databases.tamper(`${linux_user}_shop`, (it) => void it.users.delete('localhost')),
      'database user of another place': () =>
        this.databases.tamper(
          `${linux_user}_shop`,
          (it) =>
            void it.users.set('203.0.113.9', {
              locked: false,
              right: true,
              connections: 30,
              readOnly: false,
              old: false,
              password: '',
            }),
        ),
      'database grant widened': () =>
        this.databases.tamper(`${linux_user}_shop`, (it) => {
          for (const user of it.users.values()) user.right = false;
        }),
      'cron table changed': () =>
        this.cron.tamper(uid, (it) => {
          it.table = {
            text: `# ${OWNERSHIP_HEADER}\n* * * * * root true\n`,
            foreign: false,
            accessRight: true,
          };
        }),
      'cron command changed': () => this.cron.tamper(uid, (it) => void it.commands.set(uid - 19_999, 'else')),
      'current link of an app removed': () => {
        this.apps.at(uid, uid - 19_999).current = undefined;
      },
      'release of an app removed': () => this.apps.at(uid, uid - 19_999).ready.clear(),
      'site of an app no longer a link': () => this.apps.at(uid, uid - 19_999).links.clear(),
      'cron table removed': () => this.cron.tamper(uid, (it) => void delete it.table),
      'certificate removed': () =>
        this.certificates.tamper(uid, (it) => {
          it.filesRight = false;
        }),
      'certificate key opened to all': () =>
        this.certificates.tamper(uid, (it) => {
          it.filesRight = false;
        }),
      'certificate key exchanged': () =>
        this.certificates.tamper(uid, (it) => {
          it.filesRight = false;
        }),
      'certificate lost for good': () =>
        this.certificates.tamper(uid, (it) => {
          it.filesRight = false;
          it.lost = true;
        }),
      'program ended by hand': () => {
        program.activity = 'inactive';
      },
      'socket of a program removed': () => {
        program.socketFile = false;
      },
      'folder of the sockets of programs removed': () => {
        program.socketFile = false;
      },
      'program no longer enabled': () => {
        program.enabled = false;
      },
      'configuration of a program changed': () => {
        program.config = 'folder=/\0word=/bin/sh\0';
      },
    };
    edits[what]();
  }

  async obstruct(what: Obstacle, { linux_user, uid }: AccountSpec): Promise<void> {
    const edits: Record<Obstacle, () => void> = {
      'a user of that name': () => this.#append('passwd', `${linux_user}:x:1500:1500::/srv:/bin/sh\n`),
      'a user with that uid': () => this.#append('passwd', `someone:x:${uid}:${uid}::/srv:/bin/sh\n`),
      'a group of that name': () => this.#append('group', `${linux_user}:x:1500:\n`),
      'a home of another user': () =>
        void this.homes.set(linux_user, { uid: 1_500, accessRight: false, paths: new Set(['kept']) }),
      'a PHP configuration of another hand': () =>
        void this.php.set(uid, {
          config: { text: 'mine', foreign: true },
          enabled: false,
          unitActive: false,
          socketFile: false,
        }),
      'a server block with that name': () => void this.foreignNames.add(`site${uid - 19_999}.example.com`),
      'a database of that name': () => this.databases.addForeign(`${linux_user}_shop`),
      'a cron table of another hand': () => this.cron.addForeign(uid),
    };
    edits[what]();
    if (what === 'a user with that uid') this.pids.set(uid, [4_711]);
  }

  async describe(what: Obstacle, { linux_user, uid }: AccountSpec): Promise<string> {
    const lines = (text: string) => text.split('\n').filter((line) => /:1500:|^someone:/.test(line));
    return JSON.stringify({
      lines: [...lines(this.texts.passwd), ...lines(this.texts.group)],
      pids: this.pids.get(uid),
      home: what === 'a home of another user' ? [...(this.homes.get(linux_user)?.paths ?? [])] : undefined,
      config: what === 'a PHP configuration of another hand' ? this.php.get(uid)?.config : undefined,
      names: [...this.foreignNames],
      database:
        what === 'a database of that name' ? this.databases.describe(`${linux_user}_shop`) : undefined,
      cron: what === 'a cron table of another hand' ? this.cron.describe(uid) : undefined,
    });
  }

  async clear(_what: Obstacle, { linux_user, uid }: AccountSpec): Promise<void> {
    this.#editText('passwd', /^.*:x:1500:.*\n|^someone:.*\n/m, '');
    this.#editText('group', /^.*:x:1500:.*\n/m, '');
    if (this.homes.get(linux_user)?.uid === 1_500) this.homes.delete(linux_user);
    this.pids.delete(uid);
    if (this.php.get(uid)?.config?.foreign === true) this.php.delete(uid);
    this.foreignNames.clear();
    this.databases.removeForeign(`${linux_user}_shop`);
    this.cron.removeForeign(uid);
  }

  #editText(name: keyof AccountTexts, pattern: RegExp, replacement: string): void {
    this.texts = { ...this.texts, [name]: this.texts[name].replace(pattern, replacement) };
  }

  #append(name: keyof AccountTexts, line: string): void {
    this.texts = { ...this.texts, [name]: this.texts[name] + line };
  }

  #editList(name: keyof Lists, from: string, to: string): void {
    this.lists = { ...this.lists, [name]: this.lists[name].replaceAll(from, to) };
    this.served = this.lists;
  }
}

function shownAs(assignment: string): Record<string, string> {
  const [key = '', value = ''] = assignment.split(/=(.*)/s);
  if (key !== 'CPUQuota') return { [key]: value };
  return { CPUQuotaPerSecUSec: `${Number.parseInt(value, 10) / 100}s` };
}

function kernelOf(settings: Readonly<Record<string, string>>): KernelLimits {
  const number = (key: string) => {
    const text = settings[key] ?? '';
    return text === '' || text === 'infinity' ? null : Number(text.split(' ').at(-1));
  };
  return {
    cpuPercent: Number.parseFloat(settings.CPUQuotaPerSecUSec ?? '0') * 100,
    memoryBytes: number('MemoryMax'),
    swapBytes: undefined,
    tasks: number('TasksMax'),
    readBytesPerSecond: number('IOReadBandwidthMax'),
    writeBytesPerSecond: number('IOWriteBandwidthMax'),
    readIops: number('IOReadIOPSMax'),
    writeIops: number('IOWriteIOPSMax'),
  };
}

import assert from 'node:assert/strict';
import { type AccountSpec, plainPhp, plainSite } from '@innkeeper/protocol';
import { waitUntil } from '@innkeeper/testkit/machine';
import { ownerOf } from '../src/capabilities/claim.ts';
import type { Host } from '../src/capabilities/host.ts';
import { driversFor } from '../src/capabilities/index.ts';
import { Changes } from '../src/node/changes.ts';
import { type Pass, runPass } from '../src/reconciler/pass.ts';
import { reportOfPass } from '../src/reconciler/report-of-pass.ts';
import { domainOf, nodeApp, specOf } from './specs.ts';

/**
 * The guarantees of every driver, as cases that run on the fake host and, inside a box, on the real host: a second pass
 * changes nothing, a crash after any change converges, drift is repaired, and a foreign object is left alone.
 */
export interface Rig {
  /** The changes after which the cases of a crash crash: after the first of them, and after every so many more. */
  readonly crashes: { readonly first: number; readonly every: number };
  /**
   * True: the cases of repaired drift share a few accounts, because creating and removing one takes seconds. The case
   * after them removes these accounts.
   */
  readonly sharesAccounts: boolean;
  /** How often to look whether background work has ended, in ms. */
  readonly pollMs: number;
  /** A new host, as a fresh agent would create it. */
  host(changes: Changes): Host;
  /** Waits until the background work on the last host has finished. Resolves to whether there was any. */
  settle(): Promise<boolean>;
  /** Changes the node without the agent. */
  tamper(what: Tampering, spec: AccountSpec): Promise<void>;
  /** Creates a foreign object that is in the way. */
  obstruct(what: Obstacle, spec: AccountSpec): Promise<void>;
  /** Returns a description of the whole obstacle: equal before and after if it is untouched. */
  describe(what: Obstacle, spec: AccountSpec): Promise<string>;
  clear(what: Obstacle, spec: AccountSpec): Promise<void>;
}

const tamperings = [
  'user line removed',
  'shell changed',
  'password changed',
  'home opened to all',
  'private folder removed',
  'document root removed',
  'limit lowered in systemd',
  'limit lifted in the kernel',
  'disk limit lifted',
  'port 25 closed by hand',
  'socket file removed',
  'socket opened to all',
  'folder of sockets removed',
  'socket no longer enabled',
  'PHP configuration changed',
  'PHP settings of sites changed',
  'name removed from nginx',
  'name moved to another root',
  'database dropped',
  'database user dropped',
  'database user of another place',
  'database grant widened',
  'cron table changed',
  'cron command changed',
  'cron table removed',
  'SSH keys changed',
  'SSH keys removed',
  'FTP login removed',
  'password of an FTP login changed',
  'FTP login removed from its group',
  'folder of an FTP login changed',
  'keys of an FTP login removed',
  'FTP server stopped',
  'limits of mail changed',
  'limits of mail removed',
  'current link of an app removed',
  'release of an app removed',
  'site of an app no longer a link',
  'certificate removed',
  'certificate key opened to all',
  'certificate key exchanged',
  'certificate lost for good',
  'program ended by hand',
  'socket of a program removed',
  'folder of the sockets of programs removed',
  'program no longer enabled',
  'configuration of a program changed',
] as const;
export type Tampering = (typeof tamperings)[number];

const obstacles = {
  'a user of that name': 'user',
  'a user with that uid': 'user',
  'a group of that name': 'user',
  'a home of another user': 'home',
  'a foreign PHP configuration': 'php',
  'a server block with that name': 'web',
  'a database of that name': 'databases',
  'a foreign cron table': 'cron',
} as const;
export type Obstacle = keyof typeof obstacles;

export interface ContractCase {
  readonly name: string;
  run(rig: Rig): Promise<void>;
}

/** Its target has a file and folders, and its PHP settings of its own. */
const lockedSite = {
  ...plainSite,
  php: { ...plainPhp, memory_limit_mb: 64, time_zone: 'Europe/Berlin' },
  password: { folder: 'admin/area', user: 'guest', hash: `$6$rounds=1000$salt$${'h'.repeat(86)}` },
};

let lastAccount = 0;

const SSH_KEY = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcH';

const FTP_HASH = `$6$salt$${'f'.repeat(86)}`;

/** Every case has its own account. */
function freshSpec(changes: Partial<AccountSpec> = {}): AccountSpec {
  lastAccount += 1;
  const id = lastAccount;
  return specOf({
    account_id: id,
    uid: 19_999 + id,
    linux_user: `acct${id}`,
    terminal_access: true,
    smtp_port_25: true,
    mail: { per_hour: 100, per_day: 500 },
    limits: { ...specOf({}).limits, cpu_percent: 50, io_write_mbps: 10, max_processes: 40 },
    domains: [
      domainOf(id, `site${id}.example.com`),
      domainOf(id + 1_000, `www.shop${id}.example.com`, { is_primary: false, site: lockedSite }),
    ],
    databases: [
      {
        database_id: id,
        db_name: `acct${id}_shop`,
        password: 'a1'.repeat(12),
        password_revision: 1,
        allowed_ips: ['198.51.100.7'],
        desired_state: 'active',
      },
    ],
    ssh_keys: [SSH_KEY],
    ftp_logins: [
      { name: `acct${id}_web`, folder: 'domains', password_hash: FTP_HASH, public_keys: [] },
      { name: `acct${id}_key`, folder: 'team/in', password_hash: null, public_keys: [SSH_KEY] },
    ],
    cron_jobs: [
      { cron_job_id: id, schedule: '*/5 * * * *', command: 'echo "50 %" é', enabled: true },
      { cron_job_id: id + 1_000, schedule: '@daily', command: 'true', enabled: false },
    ],
    apps: [
      {
        app_id: id,
        template_key: 'static',
        runtime: 'static',
        installer: 'starter',
        retries: 0,
        desired_state: 'running',
        domain_id: id + 1_000,
        database_id: null,
        node_version: null,
        start_command: '',
        env: [],
        release: null,
      },
    ],
    ...changes,
  });
}

/** A certificate costs a case several passes, so only the cases that need it have one. */
function withCertificate(): AccountSpec {
  const spec = freshSpec();
  const [first, ...others] = spec.domains;
  return { ...spec, domains: [{ ...first!, certificate_revision: 1 }, ...others] };
}

/** A program takes time to start, so only the cases that need it have one. */
function withProgram(spec: AccountSpec): AccountSpec {
  const env = [{ name: 'MOTTO', value: 'a=b "c" é', is_secret: false }];
  return { ...spec, apps: [...spec.apps, nodeApp(spec.account_id + 2_000, { env })] };
}

const states = ['active', 'suspended', 'absent'] as const;

export const contract: readonly ContractCase[] = [
  ...states.map((state) => ({
    name: `a second pass towards ${state} changes nothing`,
    run: async (rig: Rig) => {
      const spec = withProgram(withCertificate());
      await converge(rig, spec);
      await converge(rig, { ...spec, desired_state: state });
      await converge(rig, { ...spec, desired_state: state }, { expectChanges: 0 });
      await remove(rig, spec);
    },
  })),
  ...states.map((state) => ({
    name: `a crash after any change on the way to ${state} converges`,
    run: (rig: Rig) => crashAtChanges(rig, state),
  })),
  {
    name: 'a suspended account is unchanged after it is active again',
    run: async (rig) => {
      const spec = withCertificate();
      await converge(rig, spec);
      await converge(rig, { ...spec, desired_state: 'suspended' });
      await converge(rig, spec);
      await converge(rig, spec, { expectChanges: 0 });
      await remove(rig, spec);
    },
  },
  {
    name: 'other limits, another password and fewer domains are applied',
    run: async (rig) => {
      const spec = freshSpec();
      await converge(rig, spec);
      const next = {
        ...spec,
        terminal_access: false,
        smtp_port_25: false,
        ssh_keys: [],
        ftp_logins: [{ ...spec.ftp_logins[0]!, folder: 'team' }],
        mail: { per_hour: 1, per_day: 1_000 },
        limits: {
          ...spec.limits,
          cpu_percent: 120,
          io_write_mbps: null,
          io_read_mbps: 20,
          max_processes: null,
          disk_mb: 2_000,
        },
        domains: spec.domains.slice(0, 1),
        apps: spec.apps.map((app) => ({ ...app, domain_id: null })),
        databases: spec.databases.map((database) => ({
          ...database,
          password: 'b2'.repeat(12),
          password_revision: 2,
          allowed_ips: ['2001:db8::7'],
        })),
        cron_jobs: spec.cron_jobs.slice(1).map((job) => ({ ...job, enabled: true, command: 'false' })),
      };
      await converge(rig, next);
      await converge(rig, next, { expectChanges: 0 });
      await remove(rig, spec);
    },
  },
  {
    name: 'an account that never existed is absent without a change',
    run: async (rig) => {
      await converge(rig, freshSpec({ desired_state: 'absent' }), { expectChanges: 0 });
    },
  },
  ...tamperings.map((what) => ({
    name: `drift is repaired: ${what}`,
    run: async (rig: Rig) => {
      const spec = await accountToDamage(rig, what);
      await rig.tamper(what, spec);
      const { changes } = await converge(rig, spec);
      assert.ok(changes > 0, 'the pass had nothing to repair');
      await converge(rig, spec, { expectChanges: 0 });
      if (rig.sharesAccounts) undamaged.set(kindOfAccount(what), spec);
      else await remove(rig, spec);
    },
  })),
  {
    name: 'accounts that were repaired many times leave nothing when they are removed',
    run: async (rig) => {
      for (const what of tamperings)
        if (!undamaged.has(kindOfAccount(what)))
          undamaged.set(kindOfAccount(what), await accountToDamage(rig, what));
      for (const [kind, spec] of undamaged) {
        undamaged.delete(kind);
        await remove(rig, spec);
      }
    },
  },
  ...(Object.keys(obstacles) as Obstacle[]).map((what) => ({
    name: `a foreign object is reported and left alone: ${what}`,
    run: async (rig: Rig) => {
      const spec = freshSpec();
      await rig.obstruct(what, spec);
      const before = await rig.describe(what, spec);
      const pass = await onePass(rig.host(new Changes()), spec);
      await rig.settle();
      const failure = pass.conditions.find((condition) => condition.reason !== 'Applied');
      assert.deepEqual([failure?.type, failure?.reason], [obstacles[what], 'Conflict']);
      assert.equal(pass.retryable, false);
      assert.equal(await rig.describe(what, spec), before);
      await converge(rig, { ...spec, desired_state: 'absent' });
      assert.equal(await rig.describe(what, spec), before);
      await rig.clear(what, spec);
      await remove(rig, spec);
    },
  })),
  {
    name: 'a name that a foreign server block has does not hold back the other names, nor their certificates',
    run: async (rig) => {
      const what = 'a server block with that name';
      const spec = freshSpec();
      const [taken, free] = spec.domains;
      await rig.obstruct(what, spec);
      const host = rig.host(new Changes());
      const pass = await settledPass(rig, host, spec);
      assert.deepEqual(
        reportOfPass(spec, pass).domains.map(({ domain_id, status }) => [domain_id, status]),
        [
          [taken?.domain_id, 'failed'],
          [free?.domain_id, 'active'],
        ],
      );
      const { sites } = await host.web.observe(ownerOf(spec));
      assert.deepEqual(
        sites.map(({ name }) => name),
        [free?.name],
      );
      const certificates = pass.conditions.find(({ type }) => type === 'certificates');
      assert.equal(certificates?.reason, 'Applied');
      await rig.clear(what, spec);
      await converge(rig, spec);
      await remove(rig, spec);
    },
  },
];

type KindOfAccount = 'certificate' | 'program' | 'plain';

/** Accounts of the cases of repaired drift, converged. A case that fails does not return its account. */
const undamaged = new Map<KindOfAccount, AccountSpec>();

function kindOfAccount(what: Tampering): KindOfAccount {
  if (what.startsWith('certificate')) return 'certificate';
  return what.includes('program') ? 'program' : 'plain';
}

async function accountToDamage(rig: Rig, what: Tampering): Promise<AccountSpec> {
  const kind = kindOfAccount(what);
  const shared = undamaged.get(kind);
  undamaged.delete(kind);
  if (shared !== undefined) return shared;
  const account = kind === 'certificate' ? withCertificate() : freshSpec();
  const spec = kind === 'program' ? withProgram(account) : account;
  await converge(rig, spec);
  return spec;
}

async function crashAtChanges(rig: Rig, state: AccountSpec['desired_state']): Promise<void> {
  const { first, every } = rig.crashes;
  for (let crashAfter = first; ; crashAfter += every) {
    assert.ok(crashAfter < 100, 'the pass never ends');
    const spec = state === 'suspended' ? freshSpec() : withCertificate();
    const next = { ...spec, desired_state: state };
    if (state !== 'active') await converge(rig, spec);
    const crashed = await crashIn(rig, next, crashAfter);
    await converge(rig, next);
    await converge(rig, next, { expectChanges: 0 });
    await remove(rig, spec);
    if (!crashed) return;
  }
}

/** Returns whether the pass reached the crash. After the crash nothing more runs. */
async function crashIn(rig: Rig, spec: AccountSpec, crashAfter: number): Promise<boolean> {
  let crashed = false;
  const changes = new Changes(crashAfter, () => {
    crashed = true;
    throw new Error('The agent was killed here.');
  });
  const host = rig.host(changes);
  await waitUntil(
    'what is under way, or the crash',
    async () => {
      const pass = await runPass(spec, driversFor(spec.desired_state), {
        host,
        now: () => performance.now(),
        mayContinue: () => (crashed ? 'stop' : 'go'),
        onChange: () => {},
      });
      const somethingEnded = await rig.settle();
      return crashed || (!somethingEnded && (typeof pass === 'string' || !isUnderWay(pass)));
    },
    { timeoutMs: 60_000, everyMs: rig.pollMs },
  );
  return crashed;
}

/** Returns whether background work runs. Work that is due much later does not count. */
function isUnderWay({ observeAgainMs }: Pass): boolean {
  return observeAgainMs !== undefined && observeAgainMs < 30_000;
}

async function converge(
  rig: Rig,
  spec: AccountSpec,
  { expectChanges }: { expectChanges?: number } = {},
): Promise<{ changes: number }> {
  const changes = new Changes();
  const pass = await settledPass(rig, rig.host(changes), spec);
  const failed = pass.conditions.filter((condition) => condition.reason !== 'Applied');
  assert.deepEqual(failed, []);
  assert.deepEqual(pass.defects, []);
  if (expectChanges !== undefined) assert.equal(changes.count, expectChanges);
  return { changes: changes.count };
}

/** Repeats the pass while background work runs, and returns the last one. */
async function settledPass(rig: Rig, host: Host, spec: AccountSpec): Promise<Pass> {
  return await waitUntil(
    'what is under way',
    async () => {
      const pass = await onePass(host, spec);
      const somethingEnded = await rig.settle();
      return !somethingEnded && !isUnderWay(pass) && pass;
    },
    { timeoutMs: 30_000, everyMs: rig.pollMs },
  );
}

async function remove(rig: Rig, spec: AccountSpec): Promise<void> {
  const absent = { ...spec, desired_state: 'absent' as const };
  await converge(rig, absent);
  await converge(rig, absent, { expectChanges: 0 });
}

async function onePass(host: Host, spec: AccountSpec): Promise<Pass> {
  const pass = await runPass(spec, driversFor(spec.desired_state), {
    host,
    now: () => performance.now(),
    mayContinue: () => 'go',
    onChange: () => {},
  });
  if (typeof pass === 'string') throw new Error(`The pass ended early: ${pass}`);
  return pass;
}

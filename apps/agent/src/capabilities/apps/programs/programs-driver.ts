import type { AccountSpec, AppSpec, AppStatusReport } from '@innkeeper/protocol';
import { observeClaim, ownerOf } from '../../claim.ts';
import type { Change, Driver } from '../../driver.ts';
import type { Host } from '../../host.ts';
import type { NodejsVersionState } from '../nodejs/host.ts';
import type { AppRecord } from '../releases/host.ts';
import { type Choice, chooseRelease, digestOf, hasComeUp } from './choose-release.ts';
import type { ProgramActivity, ProgramState } from './host.ts';
import { releaseIn } from './program-config.ts';

interface ProgramsObserved {
  /** Programs of all apps in the spec or on the node. */
  readonly programs: readonly ProgramState[];
  /** Keyed by app: the folder that it should run from. */
  readonly releases: ReadonlyMap<number, string>;
  /** Keyed by app. */
  readonly records: ReadonlyMap<number, AppRecord>;
  readonly versions: ReadonlyMap<string, NodejsVersionState>;
  /** The end of the log of each failed app. */
  readonly logs: ReadonlyMap<number, string>;
  /** Apps that should be removed and have a log. */
  readonly oldLogs: readonly number[];
  readonly hasUnits: boolean;
  readonly uidIsForeign: boolean;
}

type ProgramsChange = Change &
  (
    | { readonly kind: 'install-version'; readonly version: string }
    | { readonly kind: 'remove-units' }
    | {
        readonly kind:
          | 'write-config'
          | 'remove-config'
          | 'fall-back'
          | 'listen'
          | 'start'
          | 'stop'
          | 'end'
          | 'remove-log';
        readonly appId: number;
      }
  );
type AppStep = Extract<ProgramsChange, { appId: number }>['kind'];

const OBSERVE_AGAIN_MS = 1_000;
const TAIL_BYTES = 4_000;

const summaries: Readonly<Record<AppStep, string>> = {
  'write-config': 'write what it is started with',
  'remove-config': 'remove what it is started with',
  'fall-back': 'go back to the release before, whose program came up',
  listen: 'open its socket',
  start: 'start its program',
  stop: 'ask its program to end',
  end: 'end its program and close its socket',
  'remove-log': 'remove its log',
};

/** The programs of Node.js apps. Each runs from the release that the link `current` points to. */
export const programsDriver: Driver<ProgramsObserved, ProgramsChange> = {
  name: 'programs',
  buildsOn: ['user', 'home', 'slice', 'processes'],

  async observe(spec, host) {
    const owner = ownerOf(spec);
    const apps = nodeApps(spec);
    const wanted = apps.filter((app) => isWanted(spec, app));
    const [programs, hasUnits, { uidIsForeign }, records, releases] = await Promise.all([
      host.programs.observe(
        owner,
        apps.map(({ app_id }) => app_id),
      ),
      host.programs.hasUnits(owner),
      observeClaim(spec, host),
      wanted.length === 0 ? [] : host.appRecords.of(owner),
      wanted.length === 0
        ? new Map<number, string>()
        : host.programs.releases(
            owner,
            wanted.map(({ app_id }) => app_id),
          ),
    ]);
    const majors = new Set(wanted.map(({ node_version }) => node_version ?? ''));
    const versions = await Promise.all(
      [...majors].map(async (major) => [major, await host.nodejsVersions.state(major)] as const),
    );
    const failed = programs.filter(
      ({ activity }) => activity === 'failed' && spec.desired_state === 'active',
    );
    const logs = await Promise.all(
      failed.map(
        async ({ appId }) => [appId, await tailOf(host.programs.log(owner, appId, TAIL_BYTES))] as const,
      ),
    );
    const removed =
      spec.desired_state === 'absent' ? [] : programs.filter(({ appId }) => isGone(spec, appId));
    const oldLogs = await Promise.all(
      removed.map(async ({ appId }) => ((await host.programs.hasLog(owner, appId)) ? [appId] : [])),
    );
    return {
      programs,
      releases,
      records: new Map(records.map((record) => [record.appId, record])),
      versions: new Map(versions),
      logs: new Map(logs),
      oldLogs: oldLogs.flat(),
      hasUnits,
      uidIsForeign,
    };
  },

  plan(spec, observed) {
    const { programs, versions, hasUnits, uidIsForeign } = observed;
    if (spec.desired_state !== 'active' && uidIsForeign) return [];
    const changes: ProgramsChange[] = [...versions]
      .filter(([, { kind }]) => kind === 'missing')
      .map(([version]) => ({ kind: 'install-version', version, summary: `fetch Node.js ${version}` }));
    for (const program of programs)
      for (const kind of stepsOf(spec, program, observed))
        changes.push({ kind, appId: program.appId, summary: `app ${program.appId}: ${summaries[kind]}` });
    const isLast = programs.every(({ appId }) => isGone(spec, appId));
    if (hasUnits && isLast) changes.push({ kind: 'remove-units', summary: 'remove the units of programs' });
    return changes;
  },

  async apply(change, spec, host) {
    const owner = ownerOf(spec);
    const { programs } = host;
    if (change.kind === 'install-version') return host.nodejsVersions.install(change.version);
    if (change.kind === 'remove-units') return programs.removeUnits(owner);
    const { kind, appId } = change;
    switch (kind) {
      case 'write-config': {
        const app = nodeApps(spec).find(({ app_id }) => app_id === appId);
        const release = (await programs.releases(owner, [appId])).get(appId);
        if (app === undefined || release === undefined) return;
        const [, record] = await programAndRecord(appId, spec, host);
        return programs.writeConfig(owner, appId, chooseRelease(spec, app, release, record).text);
      }
      case 'fall-back': {
        const [program, record] = await programAndRecord(appId, spec, host);
        if (program?.config === undefined || record === undefined) return;
        const tail = await tailOf(programs.log(owner, appId, TAIL_BYTES));
        const broken = { digest: digestOf(program.config.text), reason: brokenReason(program, record, tail) };
        return host.appRecords.put(owner, { ...record, broken });
      }
      case 'remove-config':
        return programs.removeConfig(owner, appId);
      case 'listen':
        return programs.listen(owner, appId);
      case 'start':
        return programs.start(owner, appId);
      case 'stop': {
        const [, record] = await programAndRecord(appId, spec, host);
        if (record?.broken != null) await host.appRecords.put(owner, { ...record, broken: null });
        return programs.stopSoon(owner, appId);
      }
      case 'end':
        return programs.end(owner, appId);
      case 'remove-log':
        return programs.removeLog(owner, appId);
    }
  },

  statuses(spec, observed) {
    if (spec.desired_state !== 'active') return {};
    return { apps: nodeApps(spec).flatMap((app) => statusOf(spec, app, observed)) };
  },

  observeAgainMs(spec, { programs, versions }) {
    if (spec.desired_state !== 'active') return undefined;
    const moves = programs.some(({ activity }) => activity === 'starting' || activity === 'stopping');
    const waits = [...versions.values()].flatMap((version) => {
      if (version.kind === 'installing') return [OBSERVE_AGAIN_MS];
      return version.kind === 'failed' && version.retryInMs !== undefined ? [version.retryInMs] : [];
    });
    const delays = [...(moves ? [OBSERVE_AGAIN_MS] : []), ...waits];
    return delays.length === 0 ? undefined : Math.min(...delays);
  },
};

function stepsOf(spec: AccountSpec, program: ProgramState, observed: ProgramsObserved): AppStep[] {
  const app = nodeApps(spec).find(({ app_id }) => app_id === program.appId);
  if (app === undefined || isGone(spec, program.appId)) return goneSteps(program, observed);
  if (spec.desired_state === 'suspended') return program.present ? ['end'] : [];
  const release = observed.releases.get(program.appId);
  if (app.desired_state === 'stopped' || release === undefined) return stoppedSteps(program);
  // A program on another version keeps running until this version is installed.
  if (observed.versions.get(app.node_version ?? '')?.kind !== 'ready') return [];
  const record = observed.records.get(program.appId);
  return runningSteps(program, chooseRelease(spec, app, release, record), record);
}

/**
 * A failed program is not restarted until its configuration changes or it is stopped. If it never started since its
 * release was deployed, the previous release takes over.
 */
function runningSteps(
  program: ProgramState,
  { text, spare }: Choice,
  record: AppRecord | undefined,
): AppStep[] {
  const { config, activity, current, enabled, listening } = program;
  const isStale = config?.text !== text || !config.accessRight;
  const isAnew = isStale || !current;
  const steps: AppStep[] = isStale ? ['write-config'] : [];
  if (activity === 'failed' && !isAnew && enabled)
    return spare === undefined || hasComeUp(program, record) ? steps : ['fall-back'];
  if (!enabled || !listening) steps.push('listen');
  if (activity === 'inactive' || (isAnew && activity !== 'stopping') || !listening) steps.push('start');
  return steps;
}

function stoppedSteps({ activity, enabled, listening }: ProgramState): AppStep[] {
  const isUp = activity === 'running' || activity === 'starting';
  return isUp || enabled || listening ? ['stop'] : [];
}

function goneSteps({ appId, present, config }: ProgramState, { oldLogs }: ProgramsObserved): AppStep[] {
  return [
    ...(present ? (['end'] as const) : []),
    ...(oldLogs.includes(appId) ? (['remove-log'] as const) : []),
    ...(config === undefined ? [] : (['remove-config'] as const)),
  ];
}

function statusOf(spec: AccountSpec, app: AppSpec, observed: ProgramsObserved): AppStatusReport[] {
  const report = { app_id: app.app_id, reason: '', release_id: null };
  if (app.desired_state === 'absent') return [{ ...report, status: 'absent' }];
  const program = observed.programs.find(({ appId }) => appId === app.app_id);
  const activity = program?.activity ?? 'inactive';
  if (app.desired_state === 'stopped')
    return [{ ...report, status: activity === 'stopping' ? 'stopping' : 'stopped' }];
  const release = observed.releases.get(app.app_id);
  if (release === undefined) return [];
  const version = observed.versions.get(app.node_version ?? '');
  if (version?.kind === 'failed') return [{ ...report, status: 'failed', reason: version.reason }];
  if (version?.kind !== 'ready') return [{ ...report, status: 'installing' }];
  const record = observed.records.get(app.app_id);
  const choice = chooseRelease(spec, app, release, record);
  if (choice.fallenBackTo !== undefined && activity !== 'failed')
    return [
      {
        ...report,
        status: 'failed',
        reason: record?.broken?.reason ?? '',
        release_id: Number(choice.fallenBackTo),
      },
    ];
  if (activity !== 'failed')
    return [{ ...report, status: runningStatuses[activity], reason: silenceOf(app, program) }];
  const tail = observed.logs.get(app.app_id) ?? '';
  return [
    { ...report, status: 'failed', reason: `The program crashed repeatedly. The end of its log:\n${tail}` },
  ];
}

/** The problem of a running program that does not listen. A program without a domain need not listen. */
function silenceOf({ domain_id }: AppSpec, program: ProgramState | undefined): string {
  if (domain_id === null || program?.notListening === undefined) return '';
  const { otherPort } = program.notListening;
  const where = otherPort === undefined ? 'It listens nowhere.' : `It listens on port ${otherPort} instead.`;
  return `The program does not listen on the port in the environment variable PORT, so visitors get error 502. ${where}`;
}

function brokenReason({ config }: ProgramState, { former }: AppRecord, tail: string): string {
  const [release, before] = [releaseIn(config?.text), former?.release];
  return `The program of release ${release} crashed repeatedly at its start. Release ${before} is live instead. The end of the log:\n${tail}`;
}

async function programAndRecord(
  appId: number,
  spec: AccountSpec,
  host: Host,
): Promise<[program: ProgramState | undefined, record: AppRecord | undefined]> {
  const owner = ownerOf(spec);
  const [programs, records] = await Promise.all([
    host.programs.observe(owner, [appId]),
    host.appRecords.of(owner),
  ]);
  return [programs.find((it) => it.appId === appId), records.find((it) => it.appId === appId)];
}

const runningStatuses = {
  inactive: 'starting',
  starting: 'starting',
  running: 'running',
  stopping: 'stopping',
} as const satisfies Readonly<Record<Exclude<ProgramActivity, 'failed'>, AppStatusReport['status']>>;

async function tailOf(reading: Promise<string>): Promise<string> {
  try {
    return (await reading).replaceAll(/[^\P{Cc}\n\t]/gu, '').trimEnd();
  } catch {
    // A tenant's file may be anything: the failure is reported without the log.
    return '(the log cannot be read)';
  }
}

function nodeApps(spec: AccountSpec): AppSpec[] {
  return spec.apps.filter(({ runtime }) => runtime === 'nodejs');
}

function isWanted(spec: AccountSpec, app: AppSpec): boolean {
  return spec.desired_state === 'active' && app.desired_state === 'running';
}

/** Whether everything of an app's program should be removed for good, and not only stopped. */
function isGone(spec: AccountSpec, appId: number): boolean {
  if (spec.desired_state === 'absent') return true;
  const app = nodeApps(spec).find(({ app_id }) => app_id === appId);
  return app === undefined || app.desired_state === 'absent';
}

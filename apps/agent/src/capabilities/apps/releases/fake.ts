import type { AccountSpec } from '@innkeeper/protocol';
import type { Changes } from '../../../node/changes.ts';
import { HostError } from '../../../node/host-error.ts';
import type { Owner } from '../../../node/owner.ts';
import type { Host } from '../../host.ts';
import type { Task, TaskEnd, Tasks } from '../task/host.ts';
import type { PrepareJob, TaskCommit, TaskResult } from '../task/job.ts';
import type { AppFiles, AppRecord, ArchiveState, Archives } from './host.ts';

interface FakeApp {
  current: string | undefined;
  /** Complete releases on disk. */
  readonly ready: Set<string>;
  readonly links: Set<string>;
  building: boolean;
  result: string;
  commit: string;
  settings: string | undefined;
}

interface FakeTask {
  readonly label: string;
  readonly job: PrepareJob;
  running: boolean;
  end: TaskEnd;
}

/** The result of a task, set by a test. */
type Outcome = 'done' | 'goes on' | { failure: Partial<TaskResult> } | { end: TaskEnd };

/** Apps of a fake hosting server: files, tasks, archives and records. Like a server, it outlives its agents. */
export class FakeApps {
  /** By uid and app. */
  readonly apps = new Map<string, FakeApp>();
  readonly tasks = new Map<string, FakeTask>();
  readonly records = new Map<string, AppRecord>();
  readonly started: Task[] = [];
  /** The result of every following task. */
  outcome: Outcome = 'done';
  /** What every following task writes about the commit that it cloned. */
  commit: Partial<TaskCommit> | undefined;
  /** The state of every following archive. */
  archive: ArchiveState = { kind: 'ready', file: { path: '/archive', bytes: 1 } };

  host(changes: Changes): Pick<Host, 'tasks' | 'archives' | 'appFiles' | 'appRecords' | 'deploys'> {
    return {
      tasks: this.#tasks(changes),
      archives: this.#archives(changes),
      appFiles: this.#files(changes),
      appRecords: {
        of: async (owner) =>
          [...this.records].filter(([key]) => key.startsWith(`${owner.uid}-`)).map(([, record]) => record),
        put: async (owner, record) => {
          this.records.set(keyOf(owner, record.appId), record);
          changes.record();
        },
        remove: async (owner, appId) => {
          this.records.delete(keyOf(owner, appId));
          changes.record();
        },
      },
      deploys: {
        npmRegistry: 'https://registry.npmjs.org/',
        buildTimeoutS: 900,
        gitAllowedNetworks: [],
        wordpress: { from: '/usr/share/wordpress', sha256: null },
      },
    };
  }

  at(uid: number, appId: number): FakeApp {
    const key = `${uid}-${appId}`;
    const known = this.apps.get(key) ?? {
      current: undefined,
      ready: new Set(),
      links: new Set(),
      building: false,
      result: '',
      commit: '',
      settings: undefined,
    };
    this.apps.set(key, known);
    return known;
  }

  /** The target of each app's `current` link, by app id. */
  current(uid: number): ReadonlyMap<number, string> {
    const found = [...this.apps].flatMap(([key, { current }]) => {
      const [owner, appId] = key.split('-').map(Number);
      return owner === uid && current !== undefined ? [[appId!, `/releases/${current}`] as const] : [];
    });
    return new Map(found);
  }

  traces({ uid }: Owner): string[] {
    const keys = [...this.tasks.keys(), ...this.records.keys()];
    return keys.some((key) => key.startsWith(`${uid}-`)) ? ['record of app'] : [];
  }

  tamperings({ uid, apps }: AccountSpec) {
    const app = this.at(uid, apps[0]!.app_id);
    return {
      'current link of an app removed': () => {
        app.current = undefined;
      },
      'release of an app removed': () => app.ready.clear(),
      'site of an app no longer a link': () => app.links.clear(),
    };
  }

  removeHome(uid: number): void {
    for (const key of this.apps.keys()) if (key.startsWith(`${uid}-`)) this.apps.delete(key);
  }

  #tasks(changes: Changes): Tasks {
    return {
      observe: async (owner, appId) => {
        const task = this.tasks.get(keyOf(owner, appId));
        if (task === undefined) return { running: false, label: undefined, end: 'success' };
        return { running: task.running, label: task.label, end: task.end };
      },
      start: async (owner, task) => {
        const job = task.job as PrepareJob;
        this.started.push(task);
        const key = keyOf(owner, task.appId);
        this.tasks.set(key, { label: task.label, job, running: true, end: 'success' });
        if (this.outcome !== 'goes on') this.finish(owner.uid, task.appId, this.outcome);
        changes.record();
      },
      end: async (owner, appId) => {
        if (this.tasks.delete(keyOf(owner, appId))) changes.record();
      },
    };
  }

  /** Ends a running task. */
  finish(uid: number, appId: number, outcome: Exclude<Outcome, 'goes on'>): void {
    const key = `${uid}-${appId}`;
    const task = this.tasks.get(key);
    if (task === undefined) throw new Error('No such task runs.');
    const app = this.at(uid, appId);
    const { release, attempt } = task.job;
    app.building = false;
    if (task.job.source.kind === 'git' && this.commit !== undefined)
      app.commit = JSON.stringify({ release, ...this.commit });
    if (outcome === 'done') {
      app.ready.add(release);
      this.tasks.delete(key);
      return;
    }
    task.running = false;
    task.end = 'end' in outcome ? outcome.end : 'failed';
    if ('failure' in outcome)
      app.result = JSON.stringify({
        release,
        attempt,
        sentence: 'No.',
        retry: false,
        tail: '',
        ...outcome.failure,
      });
  }

  #archives(changes: Changes): Archives {
    const fetched = new Map<string, number>();
    return {
      state: (owner, appId, releaseId) =>
        fetched.get(keyOf(owner, appId)) === releaseId ? this.archive : undefined,
      fetch: (owner, { appId, releaseId }) => {
        fetched.set(keyOf(owner, appId), releaseId);
        changes.record();
      },
      discard: async (owner, appId) => {
        if (fetched.delete(keyOf(owner, appId))) changes.record();
      },
    };
  }

  #files(changes: Changes): AppFiles {
    return {
      observe: async (owner, apps) =>
        apps.map(({ appId, release, link }) => {
          const app = this.apps.get(keyOf(owner, appId));
          const current = app?.current !== undefined && app.ready.has(app.current) ? app.current : undefined;
          return {
            present: app !== undefined,
            current,
            ready: app?.ready.has(release) ?? false,
            building: app?.building ?? false,
            linked: link === null || (app?.links.has(link) ?? false),
          };
        }),
      swap: async (owner, { appId, release, link }) => {
        const app = this.at(owner.uid, appId);
        if (!app.ready.has(release)) throw new HostError('Failed', `Release ${release} is not there.`);
        app.current = release;
        changes.record();
        if (link !== null) app.links.add(link);
        changes.record();
      },
      unlink: async (owner, appId, link) => {
        this.at(owner.uid, appId).links.delete(link);
        changes.record();
      },
      remove: async (owner, appId) => {
        this.apps.delete(keyOf(owner, appId));
        changes.record();
      },
      readSettings: async (owner, appId) => this.apps.get(keyOf(owner, appId))?.settings,
      buildLog: async () => '',
      writeSettings: async (owner, appId, text) => {
        this.at(owner.uid, appId).settings = text;
        changes.record();
      },
      readCommit: async (owner, appId) => this.apps.get(keyOf(owner, appId))?.commit ?? '',
      readResult: async (owner, appId) => this.apps.get(keyOf(owner, appId))?.result ?? '',
    };
  }
}

function keyOf(owner: Owner, appId: number): string {
  return `${owner.uid}-${appId}`;
}

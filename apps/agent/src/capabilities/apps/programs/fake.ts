import type { AccountSpec } from '@innkeeper/protocol';
import type { Changes } from '../../../node/changes.ts';
import type { Owner } from '../../../node/owner.ts';
import type { Host } from '../../host.ts';
import type { ProgramState } from './host.ts';

interface FakeProgram {
  config?: string;
  accessRight: boolean;
  enabled: boolean;
  listening: boolean;
  socketFile: boolean;
  activity: ProgramState['activity'];
  /** The configuration of its last start. */
  startedWith?: string | undefined;
  log: boolean;
  readyAtMs?: number;
  notListening?: ProgramState['notListening'];
}

/** Programs of a fake hosting server. A started program is up at the second observation. */
export class FakePrograms {
  readonly #byUid = new Map<number, { apps: Map<number, FakeProgram>; units: boolean }>();
  readonly #releasesOf: (uid: number) => ReadonlyMap<number, string>;

  constructor(releasesOf: (uid: number) => ReadonlyMap<number, string>) {
    this.#releasesOf = releasesOf;
  }

  host(changes: Changes): Pick<Host, 'programs'> {
    const edit = (uid: number, appId: number, change: (program: FakeProgram) => void) => {
      change(this.program(uid, appId));
      changes.record();
    };
    const programs: Host['programs'] = {
      observe: async ({ uid }, appIds) => {
        const { apps } = this.#of(uid);
        const known = [...apps].filter(([, { config }]) => config !== undefined).map(([id]) => id);
        return [...new Set([...appIds, ...known])].map((appId) => this.#look(uid, appId));
      },
      hasUnits: async ({ uid }) => this.#of(uid).units,
      releases: async ({ uid }, appIds) =>
        new Map([...this.#releasesOf(uid)].filter(([appId]) => appIds.includes(appId))),
      writeConfig: async ({ uid }, appId, text) =>
        edit(uid, appId, (it) => {
          this.#of(uid).units = true;
          it.config = text;
          it.accessRight = true;
        }),
      removeConfig: async ({ uid }, appId) => edit(uid, appId, (it) => void delete it.config),
      listen: async ({ uid }, appId) =>
        edit(uid, appId, (it) => {
          Object.assign(it, { enabled: true, listening: true, socketFile: true });
        }),
      start: async ({ uid }, appId) =>
        edit(uid, appId, (it) => {
          it.activity = 'starting';
          it.startedWith = it.config;
          it.log = true;
        }),
      stopSoon: async ({ uid }, appId) =>
        edit(uid, appId, (it) => {
          // systemd keeps the failed state, whether the program was stopped or not.
          const { activity } = it;
          off(it);
          if (activity === 'failed') it.activity = activity;
        }),
      end: async ({ uid }, appId) => edit(uid, appId, off),
      removeUnits: async ({ uid }) => {
        this.#of(uid).units = false;
        for (const program of this.#of(uid).apps.values()) delete program.config;
        changes.record();
      },
      log: async () => 'Error: it broke\n',
      hasLog: async ({ uid }, appId) => this.program(uid, appId).log,
      removeLog: async ({ uid }, appId) =>
        edit(uid, appId, (it) => {
          it.log = false;
        }),
    };
    return { programs };
  }

  program(uid: number, appId: number): FakeProgram {
    const { apps } = this.#of(uid);
    const known = apps.get(appId) ?? {
      accessRight: true,
      enabled: false,
      listening: false,
      socketFile: false,
      activity: 'inactive' as const,
      log: false,
    };
    apps.set(appId, known);
    return known;
  }

  /** Resets the state to that of a server that never had a program. */
  forget(): void {
    this.#byUid.clear();
  }

  traces({ uid }: Owner): string[] {
    const { apps, units } = this.#of(uid);
    const isLeft = (it: FakeProgram) => it.config !== undefined || it.enabled || it.listening;
    return units || [...apps.values()].some(isLeft) ? ['program'] : [];
  }

  tamperings({ uid, apps }: AccountSpec) {
    const program = this.program(uid, apps.at(-1)!.app_id);
    const loseSocket = () => {
      program.socketFile = false;
    };
    return {
      'program ended by hand': () => {
        program.activity = 'inactive';
      },
      'socket of a program removed': loseSocket,
      'folder of the sockets of programs removed': loseSocket,
      'program no longer enabled': () => {
        program.enabled = false;
      },
      'configuration of a program changed': () => {
        program.config = 'folder=/\0word=/bin/sh\0';
      },
    };
  }

  /** Every process of the account was killed. */
  kill(uid: number): void {
    for (const program of this.#of(uid).apps.values())
      if (program.activity !== 'failed') program.activity = 'inactive';
  }

  #look(uid: number, appId: number): ProgramState {
    const program = this.program(uid, appId);
    const { config, accessRight, enabled, listening, socketFile, activity, startedWith } = program;
    if (activity === 'starting') Object.assign(program, { activity: 'running', readyAtMs: Date.now() });
    return {
      appId,
      config: config === undefined ? undefined : { text: config, accessRight },
      enabled,
      listening: listening && socketFile,
      present: enabled || listening || socketFile || activity !== 'inactive',
      activity,
      current: activity !== 'inactive' && startedWith === config,
      readyAtMs: program.readyAtMs,
      notListening: activity === 'running' ? program.notListening : undefined,
    };
  }

  #of(uid: number) {
    const known = this.#byUid.get(uid) ?? { apps: new Map<number, FakeProgram>(), units: false };
    this.#byUid.set(uid, known);
    return known;
  }
}

function off(program: FakeProgram): void {
  Object.assign(program, { enabled: false, listening: false, socketFile: false, activity: 'inactive' });
}

import { constants, rmSync } from 'node:fs';
import { mkdir, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { ACCOUNT_UNIT_PROPERTIES } from '../../../node/account-unit.ts';
import type { Exec } from '../../../node/exec.ts';
import type { Systemd } from '../../../node/host.ts';
import { refused } from '../../../node/host-error.ts';
import type { Owner } from '../../../node/owner.ts';
import { unitTmp } from '../../../node/tmp-folders.ts';
import { left, type Trace, type Traced } from '../../../node/trace.ts';
import type { Task, TaskEnd, TaskState, Tasks } from './host.ts';

/**
 * Tasks: our own program (`src/task`), which runs as an account in its slice, for longer than a step. Each app has at
 * most one at a time. Each task is a transient unit, so it outlives the agent and ends with the slice. A restarted
 * agent finds it by its name.
 *
 * A task gets its input, including secrets, over standard input. The input is a root-owned file that only root can
 * read. systemd opens it before it drops to the account, and the file is unlinked when the task runs. An archive is at
 * the start of the file, and the job follows. So no part of the input is in an argument, in a unit, or in a folder that
 * others can read. A power failure leaves at most one file, and the next start of the agent removes it.
 */
const NODE = '/opt/innkeeper/agent/node';
const PROGRAM = '/opt/innkeeper/agent/innkeeper-task.mjs';
const LABEL = /^[a-z0-9][a-z0-9.-]{0,63}$/;
const START_TIMEOUT_MS = 30_000;
const ENDS: ReadonlySet<string> = new Set<TaskEnd>(['success', 'timeout', 'oom-kill']);

export const TASK_PROPERTIES = [...ACCOUNT_UNIT_PROPERTIES, 'StandardOutput=null', 'StandardError=journal'];

function taskUnit(uid: number, appId: number): string {
  return `innkeeper-task-${uid}-${appId}.service`;
}

export class TransientTasks implements Tasks, Traced {
  readonly #exec: Exec;
  readonly #systemd: Systemd;
  readonly #folder: string;

  /** `stateDir`: the agent's folder; only root can read it. */
  constructor(exec: Exec, systemd: Systemd, stateDir: string) {
    this.#exec = exec;
    this.#systemd = systemd;
    this.#folder = join(stateDir, 'tasks');
  }

  async observe(owner: Owner, appId: number): Promise<TaskState> {
    const unit = taskUnit(owner.uid, appId);
    const none: TaskState = { running: false, label: undefined, end: 'success' };
    // systemd would load a missing unit for each of its properties.
    if ((await this.#systemd.state(unit)).active === 'inactive') return none;
    const wanted = ['ActiveState', 'Description', 'Result'];
    const { ActiveState, Description, Result } = await this.#systemd.show(unit, wanted);
    if (ActiveState === 'inactive') return none;
    const end = ENDS.has(`${Result}`) ? (Result as TaskEnd) : 'failed';
    return { running: ActiveState !== 'failed', label: `${Description}`, end };
  }

  async start(owner: Owner, task: Task): Promise<void> {
    if (!LABEL.test(task.label) || !Number.isSafeInteger(task.appId) || task.appId < 1)
      throw refused('A task needs a plain label and the id of an app.');
    await this.end(owner, task.appId);
    const input = task.archive?.path ?? join(this.#folder, `${owner.uid}-${task.appId}`);
    const archiveBytes = task.archive?.bytes ?? 0;
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    await writeJob(input, archiveBytes, task.job);
    try {
      const unit = taskUnit(owner.uid, task.appId);
      const args = [
        ...['--quiet', '--no-ask-password', `--unit=${unit}`, `--description=${task.label}`],
        ...[`--slice=user-${owner.uid}.slice`, `--uid=${owner.uid}`, `--gid=${owner.uid}`],
        ...[`--working-directory=/home/${owner.name}`, `--property=StandardInput=file:${input}`],
        ...TASK_PROPERTIES.map((property) => `--property=${property}`),
        ...['/tmp', '/var/tmp'].map((seen) => `--property=BindPaths=${unitTmp(owner.uid)}:${seen}`),
        `--property=RuntimeMaxSec=${task.limitS}`,
        ...['--', NODE, PROGRAM, 'run', `${archiveBytes}`],
      ];
      await this.#exec.change('/usr/bin/systemd-run', args, { timeoutMs: START_TIMEOUT_MS });
    } finally {
      // systemd has opened the file, or has failed to.
      await rm(input, { force: true });
    }
  }

  async end(owner: Owner, appId: number): Promise<void> {
    const unit = taskUnit(owner.uid, appId);
    const { active } = await this.#systemd.state(unit);
    if (active === 'inactive') return;
    if (active !== 'failed') {
      await this.#systemd.kill(unit);
      await this.#systemd.stop([unit]);
    }
    await this.#systemd.resetFailed([unit]);
  }

  async #unitsOf(owner: Owner): Promise<string[]> {
    return [...(await this.#systemd.loaded(`innkeeper-task-${owner.uid}-*.service`)).keys()];
  }

  /**
   * Called at the start of the agent: removes files that a crash left between the write of a job and the start of its
   * task.
   */
  sweep(): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }

  async traces(owner: Owner): Promise<Trace[]> {
    const units = await this.#unitsOf(owner);
    return units.map((unit) => left('unit', unit));
  }
}

/** Appends the job to the archive. The task gets the archive's size. */
async function writeJob(path: string, archiveBytes: number, job: unknown): Promise<void> {
  const flags = constants.O_RDWR | constants.O_CREAT | constants.O_NOFOLLOW;
  const file = await open(path, flags, 0o600);
  try {
    await file.truncate(archiveBytes);
    await file.write(JSON.stringify(job), archiveBytes);
  } finally {
    await file.close();
  }
}

import type { Owner } from '../../../node/owner.ts';
import type { ArchiveFile } from '../releases/host.ts';

/** Work for an app that takes longer than a step. */
export interface Task {
  readonly appId: number;
  /** The subject of the task; `observe` returns it. Letters, digits, `.` and `-`. */
  readonly label: string;
  /** Input for the program that runs the task (`src/task`), as JSON. May contain secrets. */
  readonly job: unknown;
  /** The archive is moved into the task's input: the file is gone when the task runs. */
  readonly archive?: ArchiveFile;
  /** Timeout of the task, s. */
  readonly limitS: number;
}

/** How a task ended, according to systemd. `success`: it exited normally, or nothing is known of it. */
export type TaskEnd = 'success' | 'failed' | 'timeout' | 'oom-kill';

export interface TaskState {
  readonly running: boolean;
  /** Label of the task that runs or has failed. */
  readonly label: string | undefined;
  readonly end: TaskEnd;
}

/**
 * Runs our own program as an account, in its slice. A task keeps running while the agent is stopped. It ends with the
 * slice's processes (a suspension), and when the next task of its app starts. The account writes the result below the
 * home: it is untrusted.
 */
export interface Tasks {
  observe(owner: Owner, appId: number): Promise<TaskState>;
  /** Resolves when the task runs. A running task of the same app is killed first. */
  start(owner: Owner, task: Task): Promise<void>;
  /** Kills the task if it runs, and clears its result in systemd. */
  end(owner: Owner, appId: number): Promise<void>;
}

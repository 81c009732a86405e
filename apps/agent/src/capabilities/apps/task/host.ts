import type { Owner } from '../../../node/owner.ts';
import type { ArchiveFile } from '../releases/host.ts';

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
}

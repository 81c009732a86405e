import type { Owner } from '../../node/owner.ts';

/** The command file of a job: the exact command that runs. */
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
  /** Whether the folder of commands exists. */
  readonly folder: boolean;
}

/** The account's cron jobs: one line for each in a table that cron reads, and the command in a file of its own. */
export interface Cron {
  observe(owner: Owner): Promise<CronState>;
  writeCommand(owner: Owner, command: CronCommand): Promise<void>;
  removeCommand(owner: Owner, jobId: number): Promise<void>;
  removeFolder(owner: Owner): Promise<void>;
  /** Cron reads the table within one minute. */
  writeTable(owner: Owner, text: string): Promise<void>;
  removeTable(owner: Owner): Promise<void>;
}

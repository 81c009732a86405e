import { createWriteStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';

/** Output of a running step. */
export interface StepLog {
  /** The step's log file. */
  file: string;
  /** Appends to the log. */
  write: (text: string | Uint8Array) => void;
  /** Shows a few words beside the step's name while it runs. */
  note: (words: string) => void;
}

/** Runs one step with its own log file and returns the result of its work. Rejects with a StepError. */
export type RunStep = <T>(name: string, work: (log: StepLog) => Promise<T>) => Promise<T>;

/** Shows one step: a note while it runs, then its result and its duration in s. */
export type ShowStep = (name: string) => {
  note: (words: string) => void;
  end: (outcome: 'ok' | 'failed', seconds: number) => void;
};

/** A failed step: its name, the reason, and the path of its log. */
export class StepError extends Error {
  override name = 'StepError';
  readonly step: string;
  readonly logFile: string;

  constructor(step: string, logFile: string, cause: unknown) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    super(`${step}: ${reason} (its log: ${logFile})`, { cause });
    this.step = step;
    this.logFile = logFile;
  }

  /** The error message without the name of the step. */
  get reason(): string {
    return this.cause instanceof Error ? this.cause.message : String(this.cause);
  }
}

const showNothing: ShowStep = () => ({ note: () => {}, end: () => {} });

/** Creates steps that log to `<logDir>/<name>.log` and that `show` displays. */
export function createSteps(logDir: string, show: ShowStep = showNothing): RunStep {
  return async (name, work) => {
    await mkdir(logDir, { recursive: true });
    const file = join(logDir, `${name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')}.log`);
    const stream = createWriteStream(file, { flags: 'a' });
    const write = (text: string | Uint8Array) => void stream.write(text);
    write(`\n== ${new Date().toISOString()} ${name}\n`);
    const line = show(name);
    const started = performance.now();
    const seconds = () => (performance.now() - started) / 1000;
    try {
      const result = await work({ file, write, note: line.note });
      line.end('ok', seconds());
      return result;
    } catch (cause) {
      write(`${cause instanceof Error ? cause.stack : String(cause)}\n`);
      line.end('failed', seconds());
      throw new StepError(name, file, cause);
    } finally {
      await new Promise<void>((resolve) => stream.end(resolve));
    }
  };
}

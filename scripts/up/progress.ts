import { createWriteStream, type WriteStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join, relative } from 'node:path';

/** What the work of a step may use to say what it does. */
export interface StepLog {
  /** The step's log file. */
  file: string;
  /** Appends to the log. */
  write: (text: string | Uint8Array) => void;
  /** Shows a few words beside the step's name while it runs. */
  note: (words: string) => void;
}

/** Runs one step: a line of progress, a log of its own, and the time it took. Gives what the work gives. */
export type RunStep = <T>(name: string, work: (log: StepLog) => Promise<T>) => Promise<T>;

/** A step that failed: which, why, and where its log is. */
export class StepError extends Error {
  override name = 'StepError';
  readonly step: string;
  readonly logFile: string;

  constructor(step: string, logFile: string, cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
    this.step = step;
    this.logFile = logFile;
  }
}

const NAME_WIDTH = 46;

/** Steps that are shown on standard output, with a log for each in `logDir`. */
export function createSteps(logDir: string): RunStep {
  return async (name, work) => {
    await mkdir(logDir, { recursive: true });
    const file = join(logDir, `${name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')}.log`);
    const stream = createWriteStream(file, { flags: 'a' });
    const line = createLine(name);
    const started = performance.now();
    const seconds = () => `${((performance.now() - started) / 1000).toFixed(1)} s`;
    const write = (text: string | Uint8Array) => void stream.write(text);
    write(`\n== ${new Date().toISOString()} ${name}\n`);
    try {
      const result = await work({ file, write, note: line.note });
      line.end(`ok  ${seconds()}`);
      return result;
    } catch (cause) {
      line.end('failed');
      write(`${cause instanceof Error ? cause.stack : String(cause)}\n`);
      throw new StepError(name, file, cause);
    } finally {
      await endStream(stream);
    }
  };
}

/** What to show of a failed step: the reason, and the way to the rest. */
export function describeFailure(error: StepError): string {
  return `\nThe step "${error.step}" failed: ${error.message}\n\nIts log: ${relative(process.cwd(), error.logFile)}\n`;
}

function createLine(name: string): { note: (words: string) => void; end: (words: string) => void } {
  const head = `  ${name.padEnd(NAME_WIDTH)} `;
  const { stdout } = process;
  let broken = false;
  stdout.write(head);
  return {
    note: (words) => {
      if (stdout.isTTY) stdout.write(`\r\x1b[K${head}${words}`);
      else {
        stdout.write(broken ? `      ${words}\n` : `\n      ${words}\n`);
        broken = true;
      }
    },
    end: (words) => {
      if (stdout.isTTY) stdout.write(`\r\x1b[K${head}${words}\n`);
      else stdout.write(broken ? `${head}${words}\n` : `${words}\n`);
    },
  };
}

async function endStream(stream: WriteStream): Promise<void> {
  await new Promise<void>((resolve) => stream.end(resolve));
}

import { existsSync } from 'node:fs';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

/**
 * The installation of the box tests starts in the background while unit and integration tests run. The process that
 * starts it writes the result to a file, and each worker of the box tests waits for that file.
 */
const RESULT = 'installation-start.json';
const POLL_MS = 100;

interface Result {
  /** Undefined if the installation runs. */
  error?: string | undefined;
}

export async function noteStart(stateDir: string, result: Result): Promise<void> {
  const path = join(stateDir, RESULT);
  await writeFile(`${path}.new`, JSON.stringify(result));
  await rename(`${path}.new`, path);
}

/** Resolves once the installation runs. Rejects with the reason if it could not be started. */
export async function untilStarted(stateDir: string): Promise<void> {
  const path = join(stateDir, RESULT);
  while (!existsSync(path)) await delay(POLL_MS);
  const { error } = JSON.parse(await readFile(path, 'utf8')) as Result;
  if (error !== undefined) throw new Error(`The installation of the box tests did not start: ${error}`);
}

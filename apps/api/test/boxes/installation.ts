import { join } from 'node:path';
import { type Installation, openInstallation, takeFileLock } from '@innkeeper/testkit';
import { afterAll, beforeAll } from 'vitest';

/**
 * The files that import this module share a control plane and a hosting server, and some of them stop parts of it. So
 * they take turns. Files that do not import it run beside them.
 */
const LOCK = join(import.meta.dirname, '../../../../.toolchain/test-end-to-end.lock');
const TURN_MS = 30 * 60_000;

let release: (() => Promise<void>) | undefined;
beforeAll(async () => {
  release = await takeFileLock(LOCK);
}, TURN_MS);
afterAll(() => release?.());

/** Returns the installation that the test run started for all end-to-end files. */
export async function useInstallation(): Promise<Installation> {
  const stateDir = process.env.INNKEEPER_TEST_STATE;
  if (stateDir === undefined) throw new Error('INNKEEPER_TEST_STATE is not set: run ./scripts/test');
  return await openInstallation(stateDir);
}

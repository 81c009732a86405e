import { join } from 'node:path';

export const ROOT = join(import.meta.dirname, '../../../..');

/** State folder of test runs in this checkout. Each project has its own folder below it. */
export const TEST_RUN_DIR = join(ROOT, '.run-test');

/** The projects of vitest.workspace.ts that start servers. */
export type StartingProject = 'integration' | 'boxes' | 'vm';

export function projectStateDir(project: StartingProject): string {
  return join(TEST_RUN_DIR, project);
}

/** The lock is outside of the state folder, because its holder removes that folder. */
export function projectLock(project: StartingProject): string {
  return join(ROOT, '.toolchain', `test-${project}.lock`);
}

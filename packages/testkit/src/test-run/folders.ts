import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '../../../..');

/** Where a test run of this checkout keeps what it starts; each project has a folder of its own below it. */
export const TEST_RUN_DIR = join(ROOT, '.run-test');

/** The projects of vitest.workspace.ts that start something. */
export type StartingProject = 'integration' | 'boxes';

export function projectStateDir(project: StartingProject): string {
  return join(TEST_RUN_DIR, project);
}

/** Outside of the state folder, which is removed by whoever holds the lock. */
export function projectLock(project: StartingProject): string {
  return join(ROOT, '.toolchain', `test-${project}.lock`);
}

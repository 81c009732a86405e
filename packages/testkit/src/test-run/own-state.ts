import { existsSync } from 'node:fs';
import { mkdir, rmdir } from 'node:fs/promises';
import { removeInstallation } from '../installation/installation.ts';
import { takeFileLock } from '../processes/file-lock.ts';
import { projectLock, projectStateDir, type StartingProject, TEST_RUN_DIR } from './folders.ts';

/**
 * Takes a project's state folder for one test run. Returns its path and the function that ends the run. First stops and
 * removes everything that a killed run left there.
 */
export async function takeProjectState(
  project: StartingProject,
): Promise<{ stateDir: string; end: () => Promise<void> }> {
  const stateDir = projectStateDir(project);
  const release = await takeFileLock(
    projectLock(project),
    `Another run of the ${project} tests runs in this checkout. Wait until it ends.`,
  );
  await removeProjectState(stateDir);
  await mkdir(stateDir, { recursive: true });
  return {
    stateDir,
    end: async () => {
      await removeProjectState(stateDir);
      await release();
    },
  };
}

async function removeProjectState(stateDir: string): Promise<void> {
  if (existsSync(stateDir)) await removeInstallation(stateDir);
  await rmdir(TEST_RUN_DIR).catch(() => {});
}

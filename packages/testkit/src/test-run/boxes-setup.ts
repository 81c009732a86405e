import { startInstallation } from '../installation/installation.ts';
import { takeProjectState } from './own-state.ts';

/**
 * Starts the installation that all box tests of a run share; `testInstallation()` gives it to them. The
 * bundles in dist/ must be built.
 */
export default async function setup(): Promise<() => Promise<void>> {
  const { stateDir, end } = await takeProjectState('boxes');
  try {
    await startInstallation({ stateDir, forTests: true });
  } catch (error) {
    await end();
    throw error;
  }
  process.env.INNKEEPER_TEST_STATE = stateDir;
  return end;
}

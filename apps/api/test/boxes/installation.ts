import { type Installation, openInstallation } from '@innkeeper/testkit';

/** Returns the installation that the test run started for all end-to-end files. */
export async function useInstallation(): Promise<Installation> {
  const stateDir = process.env.INNKEEPER_TEST_STATE;
  if (stateDir === undefined) throw new Error('INNKEEPER_TEST_STATE is not set: run ./scripts/test');
  return await openInstallation(stateDir);
}

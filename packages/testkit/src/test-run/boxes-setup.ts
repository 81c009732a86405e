import { setUpInstallation } from './installation-setup.ts';

/** Starts the installation of the box tests. Tests get it from `testInstallation()`. */
export default async function setup(): Promise<(() => Promise<void>) | undefined> {
  return await setUpInstallation({ project: 'boxes', variable: 'INNKEEPER_TEST_STATE' });
}

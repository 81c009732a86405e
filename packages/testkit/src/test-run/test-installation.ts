import { type Installation, openInstallation } from '../installation/installation.ts';

/**
 * Returns the installation that all box tests of this run share: a control plane, and the boxes that tests add. Each
 * test file leaves it running, and names its boxes and accounts after itself, because other files may run concurrently.
 *
 * ```ts
 * const installation = await testInstallation();
 * const web1 = await installation.addHostingServer('web1');   // later calls return the existing server
 * await fetch(`${installation.baseUrl}/accounts`, { headers: { authorization: `Bearer ${installation.token}` } });
 * const bare = await installation.boxes.start('bare');        // a box without an agent
 * await installation.boxes.remove('bare');
 * ```
 */
export async function testInstallation(): Promise<Installation> {
  const stateDir = process.env.INNKEEPER_TEST_STATE;
  if (stateDir === undefined)
    throw new Error('box tests run in the vitest project "boxes": ./scripts/test --project boxes');
  return await openInstallation(stateDir);
}

import { type Installation, openInstallation } from '../installation/installation.ts';

/**
 * The installation that this run's box tests share: a control plane, and the boxes that tests add. Each file leaves it
 * running, and names its boxes and accounts after itself: other files may run beside it.
 *
 * ```ts
 * const installation = await testInstallation();
 * const web1 = await installation.addHostingServer('web1');   // the one that is there, from the second call on
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

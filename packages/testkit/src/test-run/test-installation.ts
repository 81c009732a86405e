import { join } from 'node:path';
import type { VirtualServer } from '../installation/hosting-server.ts';
import { readInnctl, requireInnctl } from '../installation/innctl.ts';
import { type Installation, openInstallation } from '../installation/installation.ts';
import { takeFileLock } from '../processes/file-lock.ts';
import type { VirtualMachineSystem } from '../virtual-machine/virtual-machine-image.ts';
import { ROOT } from './folders.ts';

/** Not the lock of the project (`test-vm.lock`), which the run holds. */
const TURN = join(ROOT, '.toolchain/test-vm-turn.lock');

/** The virtual machines of a test run. */
export const VIRTUAL_SERVERS: Readonly<Record<VirtualMachineSystem, string>> = {
  debian12: 'vm1',
  debian13: 'vm13',
};

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

/**
 * Returns the hosting server in the virtual machine with that system, once it is this file's turn: the files of the
 * project `vm` share the machines, and each of them stops parts of one. New accounts come to this server until `end` gives
 * the turn to the next file.
 */
export async function takeVirtualServer(system: VirtualMachineSystem = 'debian12'): Promise<{
  installation: Installation;
  server: VirtualServer;
  end: () => Promise<void>;
}> {
  const end = await takeFileLock(TURN);
  const installation = await testInstallation();
  const name = VIRTUAL_SERVERS[system];
  const server = await installation.addVirtualServer(name, system, { isCordoned: true });
  for (const node of await readInnctl<{ name: string }[]>(installation.innctl, ['node', 'list'])) {
    const command = node.name === name ? 'uncordon' : 'cordon';
    await requireInnctl(installation.innctl, ['node', command, node.name]);
  }
  return { installation, server, end };
}

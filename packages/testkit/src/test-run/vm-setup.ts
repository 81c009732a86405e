import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ROOT } from './folders.ts';
import { setUpInstallation } from './installation-setup.ts';
import { proofTable, readProofs } from './proofs.ts';
import { VIRTUAL_SERVER } from './test-installation.ts';

const STATE = 'INNKEEPER_TEST_VM_STATE';

/**
 * Starts the installation of the project `vm`: on its own, because new accounts may be placed on any server of an
 * installation. Its virtual machine boots and gets its agent in the background, which takes minutes, while unit and
 * integration tests run. The tests that need the machine report a failure.
 *
 * At the end it prints what the tests have shown, and keeps it for `scripts/write-reliability.ts`.
 */
export default async function setup(): Promise<(() => Promise<void>) | undefined> {
  const end = await setUpInstallation({
    project: 'vm',
    variable: STATE,
    afterStart: (installation) => installation.addVirtualServer(VIRTUAL_SERVER).catch(() => {}),
  });
  const stateDir = process.env[STATE]!;
  return async () => {
    const proofs = readProofs(stateDir);
    if (proofs.length > 0) {
      console.log(`\nShown in the virtual machine:\n\n${proofTable(proofs)}`);
      await writeFile(join(ROOT, '.toolchain/proofs.json'), JSON.stringify(proofs));
    }
    await end?.();
  };
}

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ROOT } from './folders.ts';
import { setUpInstallation } from './installation-setup.ts';
import { proofTable, readProofs } from './proofs.ts';
import { VIRTUAL_SERVERS } from './test-installation.ts';

const STATE = 'INNKEEPER_TEST_VM_STATE';

/**
 * Starts the installation of the project `vm`: on its own, because new accounts may be placed on any server of an
 * installation. Its virtual machines boot and get their agents in the background, one after the other, which takes
 * minutes, while unit and integration tests run. They take accounts only when a file has its turn with one
 * (`takeVirtualServer`). The tests that need a machine report a failure.
 *
 * At the end it prints what the tests have shown, and keeps it for `scripts/write-reliability.ts`.
 */
export default async function setup(): Promise<(() => Promise<void>) | undefined> {
  const end = await setUpInstallation({
    project: 'vm',
    variable: STATE,
    afterStart: async (installation) => {
      for (const system of ['debian12', 'debian13'] as const)
        await installation
          .addVirtualServer(VIRTUAL_SERVERS[system], system, { isCordoned: true })
          .catch(() => {});
    },
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

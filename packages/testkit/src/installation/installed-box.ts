import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Box } from '../boxes/box.ts';
import type { Boxes } from '../boxes/box-fleet.ts';
import { withFileLock } from '../processes/file-lock.ts';
import type { StateDir } from '../processes/state-dir.ts';
import { artefacts } from './programs.ts';

/** The unpacked release in a box. */
export const RELEASE_IN_BOX = '/root/innkeeper-agent';

const MAKER = 'installed';

/**
 * Starts a box on which the operators' installer has already run with `--no-enrol`. A second run of the installer enrols
 * the box, which takes a fraction of a whole installation.
 *
 * The first call of a test run installs on a box of its own and keeps that box as the layer of all others. Identity,
 * settings and machine id of each box are its own. The self-signed certificates that the installer creates are the same
 * on all of them, as the SSH host keys of the base root file system are.
 */
export async function startInstalledBox(
  { state, boxes }: { state: StateDir; boxes: Boxes },
  name: string,
): Promise<Box> {
  const layer = join(state.path, 'layers', MAKER);
  await withFileLock(`${layer}.lock`, async () => {
    if (!existsSync(layer)) await installLayer(boxes, layer);
  });
  return await boxes.start(name, { layer });
}

async function installLayer(boxes: Boxes, layer: string): Promise<void> {
  await boxes.remove(MAKER);
  const box = await boxes.start(MAKER);
  await box.copyIn(artefacts.agentRelease, RELEASE_IN_BOX);
  await box.require([`${RELEASE_IN_BOX}/install.sh`, '--no-enrol'], { timeoutMs: 120_000 });
  await boxes.keepAsLayer(MAKER, layer);
}

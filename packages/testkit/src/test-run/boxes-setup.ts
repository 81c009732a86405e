import { openBoxes } from '../boxes/box-fleet.ts';
import { type Installation, startInstallation } from '../installation/installation.ts';
import { startArgvWatch, stopArgvWatch } from '../leaks/argv-watch.ts';
import { foundLeaks, searchControlPlaneForLeaks, searchGuestForLeaks } from '../leaks/find-leaks.ts';
import { noteSecret } from '../leaks/noted-secrets.ts';
import { noteStart } from './installation-start.ts';
import { takeProjectState } from './own-state.ts';

/**
 * Starts the installation that all box tests of a run share, in the background: unit and integration tests run
 * meanwhile, and `boxes-worker.ts` waits for it. Tests get it from `testInstallation()`. The bundles in dist/ must be
 * built. At the end the run fails if a secret of the tests is in a forbidden place. A second project in the same run
 * uses the existing installation.
 */
export default async function setup(): Promise<(() => Promise<void>) | undefined> {
  if (process.env.INNKEEPER_TEST_STATE !== undefined) return undefined;
  const { stateDir, end } = await takeProjectState('boxes');
  process.env.INNKEEPER_TEST_STATE = stateDir;
  const starting = start(stateDir);
  return async () => {
    const installation = await starting;
    if (installation === undefined) {
      await stopArgvWatch(stateDir).finally(end);
      return;
    }
    const leaks = await searchForLeaks(stateDir, installation).finally(end);
    if (leaks.length > 0) throw new Error(`Secrets of the tests are where none may be:\n${leaks.join('\n')}`);
  };
}

/** Resolves to undefined after a failure, which each box test reports. */
async function start(stateDir: string): Promise<Installation | undefined> {
  try {
    await startArgvWatch(stateDir);
    const installation = await startInstallation({ stateDir, forTests: true });
    noteSecret('token', installation.token);
    await noteStart(stateDir, {});
    return installation;
  } catch (error) {
    await noteStart(stateDir, { error: error instanceof Error ? error.message : String(error) });
    return undefined;
  }
}

async function searchForLeaks(stateDir: string, { state, ports }: Installation): Promise<string[]> {
  await stopArgvWatch(stateDir);
  const boxes = await openBoxes(state);
  for (const { name, running } of await boxes.list())
    if (running) await searchGuestForLeaks(await boxes.get(name), stateDir);
  await searchControlPlaneForLeaks(stateDir, `http://127.0.0.1:${ports.metrics}/metrics`);
  // Prevents a second search when the installation is removed.
  delete process.env.INNKEEPER_TEST_STATE;
  return foundLeaks(stateDir).map(({ kind, place, line }) => `  ${kind} in ${place}: ${line}`);
}

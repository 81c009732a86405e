import { openBoxes } from '../boxes/box-fleet.ts';
import { type Installation, startInstallation } from '../installation/installation.ts';
import { startArgvWatch, stopArgvWatch } from '../leaks/argv-watch.ts';
import { foundLeaks, searchControlPlaneForLeaks, searchGuestForLeaks } from '../leaks/find-leaks.ts';
import { noteSecret } from '../leaks/noted-secrets.ts';
import { openVirtualMachines } from '../virtual-machine/virtual-machines.ts';
import { noteStart } from './installation-start.ts';
import { takeProjectState } from './own-state.ts';

/** A project of vitest.workspace.ts with an installation of its own. */
interface InstallationOfProject {
  project: 'boxes' | 'vm';
  /** The environment variable with the installation's state folder. */
  variable: string;
  /** Runs in the background once the installation runs. */
  afterStart?: (installation: Installation) => Promise<unknown>;
}

/**
 * Starts the installation that all tests of a project share, in the background: unit and integration tests run
 * meanwhile, and `boxes-worker.ts` waits for it. The bundles in dist/ must be built. At the end the run fails if a secret
 * of the tests is in a forbidden place. A second project in the same run uses the existing installation.
 */
export async function setUpInstallation(
  options: InstallationOfProject,
): Promise<(() => Promise<void>) | undefined> {
  const { project, variable, afterStart } = options;
  if (process.env[variable] !== undefined) return undefined;
  const { stateDir, end } = await takeProjectState(project);
  process.env[variable] = stateDir;
  const starting = start(stateDir);
  const more = starting.then(async (installation) => installation && (await afterStart?.(installation)));
  return async () => {
    await more;
    const installation = await starting;
    // Prevents a second search when the installation is removed.
    delete process.env[variable];
    if (installation === undefined) {
      await stopArgvWatch(stateDir).finally(end);
      return;
    }
    const leaks = await searchForLeaks(stateDir, installation).finally(end);
    if (leaks.length > 0) throw new Error(`Secrets of the tests are where none may be:\n${leaks.join('\n')}`);
  };
}

/** Resolves to undefined after a failure, which each test reports. */
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
  const machines = openVirtualMachines(state);
  for (const { name, running } of await machines.list())
    if (running) await searchGuestForLeaks((await machines.find(name))!, stateDir);
  await searchControlPlaneForLeaks(stateDir, `http://127.0.0.1:${ports.metrics}/metrics`);
  return foundLeaks(stateDir).map(({ kind, place, line }) => `  ${kind} in ${place}: ${line}`);
}

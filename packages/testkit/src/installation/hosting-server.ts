import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Box } from '../boxes/box.ts';
import { noteSecret } from '../leaks/noted-secrets.ts';
import { withFileLock } from '../processes/file-lock.ts';
import type { StateDir } from '../processes/state-dir.ts';
import { waitUntil } from '../processes/wait-until.ts';
import type { VirtualMachine } from '../virtual-machine/virtual-machine.ts';
import { type Innctl, readInnctl, requireInnctl } from './innctl.ts';
import { RELEASE_IN_BOX } from './installed-box.ts';
import { artefacts, DIST_LOCK, hashTree, readMark } from './programs.ts';
import type { StepLog } from './steps.ts';

/** A hosting server of the installation, in a box or in a virtual machine: its agent is installed and enrolled. */
export interface HostingServer<Machine extends Box = Box> {
  id: number;
  name: string;
  address: string;
  box: Machine;
}

/** A hosting server in a virtual machine: tests treat it like one in a box, and may also cut its power. */
export type VirtualServer = HostingServer<VirtualMachine>;

const TOKEN_FILE = '/root/join-token';

interface NodeRecord {
  id: number;
  name: string;
  /** The last heartbeat is at most 45 s old. */
  online: boolean;
}

export interface HostingServerContext {
  state: StateDir;
  innctl: Innctl;
  /** Address under which agents reach the control plane, `host:port`. */
  control: string;
}

/** Where a hosting server runs. */
export interface ServerMachine<Machine extends Box> {
  name: string;
  /** Boots the machine and returns it once it has booted. Idempotent. */
  start(note: StepLog['note']): Promise<Machine>;
  /** Folder of this machine with the files of the guest, relative to the state folder. */
  folder: string;
  /** For the installer, and for the agent's first heartbeat. */
  timeoutMs: number;
  /** It takes no new accounts from its first moment on, until it is uncordoned. */
  isCordoned?: boolean | undefined;
}

/**
 * Starts the machine, installs the agent with the operators' installer, enrols it, and waits until the control plane has
 * received a heartbeat. Idempotent: finished steps are skipped. Upgrades an agent of an older build.
 */
export async function addHostingServer<Machine extends Box>(
  context: HostingServerContext,
  machine: ServerMachine<Machine>,
  log: StepLog,
): Promise<HostingServer<Machine>> {
  const { name, timeoutMs } = machine;
  log.note('booting');
  const box = await machine.start(log.note);
  const known = (await listNodes(context.innctl)).find((node) => node.name === name);
  await installAgent(context, machine, box, known, log);
  log.note('waiting for its agent');
  const node = await waitUntil(
    `the agent of ${name} (journalctl -u innkeeper-agent on it)`,
    async () => {
      if ((await box.exec(['systemctl', 'is-active', 'innkeeper-agent'])).exitCode !== 0) return undefined;
      return (await listNodes(context.innctl)).find((record) => record.name === name && record.online);
    },
    { timeoutMs, everyMs: 250 },
  );
  return { id: node.id, name, address: box.address, box };
}

async function installAgent(
  { state, innctl, control }: HostingServerContext,
  { folder, timeoutMs, isCordoned }: Pick<ServerMachine<Box>, 'folder' | 'timeoutMs' | 'isCordoned'>,
  box: Box,
  known: NodeRecord | undefined,
  log: StepLog,
): Promise<void> {
  const mark = join(state.path, folder, 'installed-from');
  const installed = await readMark(mark);
  // A copy: other servers are installed, and dist/ may be built again, while a slow one reads its release.
  const copy = await mkdtemp(join(state.path, folder, 'release-'));
  try {
    const release = await withFileLock(DIST_LOCK, async () => {
      const found = await hashTree(artefacts.agentRelease);
      if (found === undefined)
        throw new Error(`${artefacts.agentRelease} is not built: ./scripts/build builds it`);
      if (known === undefined || installed !== found)
        await cp(artefacts.agentRelease, copy, { recursive: true });
      return found;
    });
    if (known !== undefined && installed === release) return;

    log.note('copying the release');
    await box.exec(['rm', '-rf', RELEASE_IN_BOX]);
    await box.copyIn(copy, RELEASE_IN_BOX);
    log.note('installing the agent');
    const argv = [`${RELEASE_IN_BOX}/install.sh`, '--control', control];
    if (known === undefined || installed === undefined) {
      await box.writeFile(TOKEN_FILE, await joinToken(innctl, box, known), { mode: 0o600 });
      if (isCordoned === true) await requireInnctl(innctl, ['node', 'cordon', box.name]);
      argv.push('--join-token-file', TOKEN_FILE, '--re-enrol');
    }
    const result = await box.exec(argv, { timeoutMs });
    log.write(`${argv.join(' ')}\n${result.stdout}${result.stderr}`);
    await box.exec(['rm', '-f', TOKEN_FILE]);
    if (result.exitCode !== 0) {
      const said = `${result.stdout}${result.stderr}`.trim().split('\n').slice(-5).join('\n');
      throw new Error(`${box.name}: the installer ended with exit code ${result.exitCode}: ${said}`);
    }
    await writeFile(mark, release);
  } finally {
    await rm(copy, { recursive: true });
  }
}

/** A token is shown only once, so a node that was added but never enrolled gets a new one. */
async function joinToken(innctl: Innctl, box: Box, known: NodeRecord | undefined): Promise<string> {
  const argv =
    known === undefined
      ? ['node', 'add', box.name, '--address', box.address]
      : ['node', 'join-token', box.name];
  const { join_token } = await readInnctl<{ join_token: string }>(innctl, argv);
  noteSecret('join_token', join_token);
  return join_token;
}

async function listNodes(innctl: Innctl): Promise<NodeRecord[]> {
  return await readInnctl<NodeRecord[]>(innctl, ['node', 'list']);
}

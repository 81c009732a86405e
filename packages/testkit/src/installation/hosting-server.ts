import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Box } from '../boxes/box.ts';
import type { Boxes } from '../boxes/box-fleet.ts';
import { noteSecret } from '../leaks/noted-secrets.ts';
import { withFileLock } from '../processes/file-lock.ts';
import type { StateDir } from '../processes/state-dir.ts';
import { waitUntil } from '../processes/wait-until.ts';
import { type Innctl, readInnctl } from './innctl.ts';
import { RELEASE_IN_BOX } from './installed-box.ts';
import { artefacts, DIST_LOCK, hashTree, readMark } from './programs.ts';
import type { StepLog } from './steps.ts';

/** A box that is a hosting server of the installation: its agent is installed and enrolled. */
export interface HostingServer {
  id: number;
  name: string;
  address: string;
  box: Box;
}

const TOKEN_FILE = '/root/join-token';

interface NodeRecord {
  id: number;
  name: string;
  /** The last heartbeat is at most 45 s old. */
  online: boolean;
}

export interface HostingServerContext {
  state: StateDir;
  boxes: Boxes;
  innctl: Innctl;
  /** Address under which agents reach the control plane, `host:port`. */
  control: string;
}

/**
 * Starts the box, installs the agent with the operators' installer, enrols it, and waits until the control plane has
 * received a heartbeat. Idempotent: finished steps are skipped. Upgrades an agent of an older build.
 */
export async function addHostingServer(
  context: HostingServerContext,
  name: string,
  log: StepLog,
): Promise<HostingServer> {
  log.note('booting the box');
  const box = await context.boxes.start(name);
  const known = (await listNodes(context.innctl)).find((node) => node.name === name);
  await withFileLock(DIST_LOCK, () => installAgent(context, box, known, log));
  log.note('waiting for its agent');
  const node = await waitUntil(
    `the agent of ${name} (journalctl -u innkeeper-agent in the box)`,
    async () => {
      if ((await box.exec(['systemctl', 'is-active', 'innkeeper-agent'])).exitCode !== 0) return undefined;
      return (await listNodes(context.innctl)).find((record) => record.name === name && record.online);
    },
    { timeoutMs: 60_000, everyMs: 250 },
  );
  return { id: node.id, name, address: box.address, box };
}

async function installAgent(
  { state, innctl, control }: HostingServerContext,
  box: Box,
  known: NodeRecord | undefined,
  log: StepLog,
): Promise<void> {
  const mark = join(state.path, 'boxes', box.name, 'installed-from');
  const release = await hashTree(artefacts.agentRelease);
  if (release === undefined)
    throw new Error(`${artefacts.agentRelease} is not built: ./scripts/build builds it`);
  const installed = await readMark(mark);
  if (known !== undefined && installed === release) return;

  log.note('installing the agent');
  await box.exec(['rm', '-rf', RELEASE_IN_BOX]);
  await box.copyIn(artefacts.agentRelease, RELEASE_IN_BOX);
  const argv = [`${RELEASE_IN_BOX}/install.sh`, '--control', control];
  if (known === undefined || installed === undefined) {
    await box.writeFile(TOKEN_FILE, await joinToken(innctl, box, known), { mode: 0o600 });
    argv.push('--join-token-file', TOKEN_FILE, '--re-enrol');
  }
  const result = await box.exec(argv, { timeoutMs: 120_000 });
  log.write(`${argv.join(' ')}\n${result.stdout}${result.stderr}`);
  await box.exec(['rm', '-f', TOKEN_FILE]);
  if (result.exitCode !== 0) {
    const said = `${result.stdout}${result.stderr}`.trim().split('\n').slice(-5).join('\n');
    throw new Error(`${box.name}: the installer ended with exit code ${result.exitCode}: ${said}`);
  }
  await writeFile(mark, release);
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

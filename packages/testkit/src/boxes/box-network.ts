import { createHash } from 'node:crypto';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { withFileLock } from '../processes/file-lock.ts';
import { requireProgram, runProgram } from '../processes/program.ts';
import type { StateDir } from '../processes/state-dir.ts';

/**
 * The bridge of the boxes of one state folder, and its subnet 10.77.<n>.0/24.
 *
 * Agents and certificates contain the bridge's address, so a state folder keeps its subnet for its whole life, running
 * or stopped: a claim in CLAIMS_DIR names the folder that owns it. A claim is valid only while the folder itself
 * confirms it, so deleting a folder frees its subnet. The boxes have no route out: they have an address in the subnet
 * and no gateway.
 */
export interface BoxNetwork {
  bridge: string;
  subnet: number;
  /** The address of this machine on the bridge: boxes reach the control plane there. */
  hostAddress: string;
}

const CLAIMS_DIR = '/var/cache/innkeeper/networks';
const LOCK = '/run/lock/innkeeper-networks.lock';
const PREFIX = '10.77';

/** Returns the subnet of a state folder: its existing one, or the first free one. Creates no interface. */
export async function claimNetwork(state: StateDir): Promise<BoxNetwork> {
  await mkdir(CLAIMS_DIR, { recursive: true });
  return await withFileLock(LOCK, async () => {
    const own = await ownSubnet(state.dir);
    if (own !== undefined && (await claimant(own)) === state.dir) return networkOf(state, own);
    const free = await freeSubnets();
    // A moved checkout keeps the subnet of its boxes.
    const subnet = own !== undefined && free.includes(own) ? own : free[0];
    if (subnet === undefined)
      throw new Error(
        `every subnet of ${PREFIX}.0.0/16 is in use on this machine; ./scripts/down --purge in a checkout that is not needed frees one`,
      );
    await mkdir(join(state.dir, 'boxes'), { recursive: true, mode: 0o700 });
    await writeFile(join(state.dir, 'boxes/network.json'), JSON.stringify({ subnet }));
    await writeFile(join(CLAIMS_DIR, String(subnet)), state.dir);
    return networkOf(state, subnet);
  });
}

/** Creates the bridge if it does not exist. */
export async function raiseBridge(network: BoxNetwork): Promise<void> {
  const { bridge, hostAddress } = network;
  if ((await runProgram(['ip', 'link', 'show', bridge])).exitCode !== 0) {
    // A bridge without its own MAC address takes one from a port, and changes it when ports leave.
    const mac = `02:77:${bridge.slice(2).match(/../g)!.join(':')}`;
    await requireProgram(['ip', 'link', 'add', 'name', bridge, 'address', mac, 'type', 'bridge']);
    await writeFile(`/proc/sys/net/ipv6/conf/${bridge}/disable_ipv6`, '1').catch(() => {});
  }
  await requireProgram(['ip', 'address', 'replace', `${hostAddress}/24`, 'dev', bridge]);
  await requireProgram(['ip', 'link', 'set', bridge, 'up']);
}

export async function removeBridge(network: BoxNetwork): Promise<void> {
  await runProgram(['ip', 'link', 'delete', network.bridge, 'type', 'bridge']);
}

/** Releases the subnet of a state folder that is being removed. */
export async function releaseNetwork(state: StateDir): Promise<void> {
  const own = await ownSubnet(state.dir);
  if (own !== undefined && (await claimant(own)) === state.dir) {
    await rm(join(CLAIMS_DIR, String(own)), { force: true });
  }
  await rm(join(state.dir, 'boxes/network.json'), { force: true });
}

function networkOf(state: StateDir, subnet: number): BoxNetwork {
  const hash = createHash('sha256').update(state.dir).digest('hex').slice(0, 8);
  return { bridge: `ik${hash}`, subnet, hostAddress: `${PREFIX}.${subnet}.1` };
}

async function freeSubnets(): Promise<number[]> {
  const used = await subnetsInUse();
  const free: number[] = [];
  for (let subnet = 0; subnet < 256; subnet += 1) {
    const dir = await claimant(subnet);
    const isClaimed = dir !== undefined && (await ownSubnet(dir)) === subnet;
    if (!isClaimed && !used.has(subnet)) free.push(subnet);
  }
  return free;
}

/** Returns the subnets that an interface or a route of this machine already uses. */
async function subnetsInUse(): Promise<Set<number>> {
  const [addresses, routes] = await Promise.all([
    requireProgram(['ip', '-4', '-oneline', 'address', 'show']),
    requireProgram(['ip', '-4', '-oneline', 'route', 'show', 'table', 'all']),
  ]);
  const found = `${addresses.stdout}\n${routes.stdout}`.matchAll(/\b10\.77\.(\d{1,3})\.\d{1,3}\b/g);
  return new Set([...found].map((match) => Number(match[1])));
}

async function claimant(subnet: number): Promise<string | undefined> {
  return await readFile(join(CLAIMS_DIR, String(subnet)), 'utf8').catch(() => undefined);
}

async function ownSubnet(dir: string): Promise<number | undefined> {
  const text = await readFile(join(dir, 'boxes/network.json'), 'utf8').catch(() => undefined);
  return text === undefined ? undefined : (JSON.parse(text) as { subnet: number }).subnet;
}

import { createHash } from 'node:crypto';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { withFileLock } from '../processes/file-lock.ts';
import { requireProgram, runProgram } from '../processes/program.ts';
import type { StateDir } from '../processes/state-dir.ts';

/**
 * The bridge that the boxes of one state folder hang on, and its subnet 10.77.<n>.0/24.
 *
 * Agents and certificates know the bridge's address, so a state folder keeps its subnet for as long as it
 * lives, running or not: a claim in CLAIMS_DIR names the folder that has it. A claim counts only while the
 * folder itself says the same, so a folder that was simply deleted frees its subnet. The boxes get no
 * route out: they have an address in the subnet and no gateway.
 */
export interface BoxNetwork {
  bridge: string;
  subnet: number;
  /** The address of this machine on the bridge: where boxes reach the control plane. */
  hostAddress: string;
}

const CLAIMS_DIR = '/var/cache/innkeeper/networks';
const LOCK = '/run/lock/innkeeper-networks.lock';
const PREFIX = '10.77';

/** The subnet of a state folder: the one that it has, or the first free one. Makes no interface. */
export async function claimNetwork(state: StateDir): Promise<BoxNetwork> {
  await mkdir(CLAIMS_DIR, { recursive: true });
  return await withFileLock(LOCK, async () => {
    const own = await ownSubnet(state.dir);
    if (own !== undefined && (await claimant(own)) === state.dir) return networkOf(state, own);
    const free = await freeSubnets();
    // A checkout that was moved keeps the subnet that its boxes have.
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

/** Makes the bridge, unless it is there. */
export async function raiseBridge(network: BoxNetwork): Promise<void> {
  const { bridge, hostAddress } = network;
  if ((await runProgram(['ip', 'link', 'show', bridge])).exitCode !== 0) {
    // Without an address of its own a bridge takes one of its ports', and changes it when ports leave.
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

/** Gives the subnet back: for a state folder that goes away. */
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

/** The subnets that an interface or a route of this machine already has. */
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

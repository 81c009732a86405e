import { lookup } from 'node:dns/promises';
import { networkInterfaces } from 'node:os';
import { canonicalAddress } from '@innkeeper/domain';
import type { Endpoint } from './firewall-table.ts';

/** Default ports of a control plane: REST and panel, agents, NATS. */
const USUAL_PORTS = [8443, 8444, 4222];

/**
 * Returns every address and port of the control plane, from the addresses that this server connects to: `host:port` of
 * its gRPC, and the URL of its NATS. Where the control plane runs on this server, all own addresses count. A name that
 * cannot be resolved adds nothing.
 */
export async function controlPlaneEndpoints(
  control: string | undefined,
  natsUrl: string | null,
): Promise<Endpoint[]> {
  const urls = [control === undefined ? undefined : `tcp://${control}`, natsUrl ?? undefined];
  const known = urls.flatMap((url) =>
    url !== undefined && URL.canParse(url) ? [{ host: hostOf(url), port: Number(new URL(url).port) }] : [],
  );
  const ports = [...new Set([...USUAL_PORTS, ...known.map(({ port }) => port).filter((port) => port > 0)])];
  const found = await Promise.all(known.map(({ host }) => addressesOf(host)));
  const addresses = new Set(found.flat());
  const own = ownAddresses();
  if ([...addresses].some((address) => own.includes(address)))
    for (const address of own) addresses.add(address);
  return [...addresses].flatMap((address) => ports.map((port) => ({ address, port })));
}

function hostOf(url: string): string {
  return new URL(url).hostname.replace(/^\[|\]$/g, '');
}

async function addressesOf(host: string): Promise<string[]> {
  const found = await lookup(host, { all: true }).catch(() => []);
  return found.flatMap(({ address }) => canonicalAddress(address) ?? []);
}

function ownAddresses(): string[] {
  const addresses = Object.values(networkInterfaces()).flatMap((some) => some ?? []);
  return ['127.0.0.1', '::1', ...addresses.flatMap(({ address }) => canonicalAddress(address) ?? [])];
}

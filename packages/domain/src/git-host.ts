import ipaddr from 'ipaddr.js';

/** The host of a repository's address, `https://`, `ssh://` or `user@host:path`; undefined for another form. */
export function gitHostOf(repository: string): string | undefined {
  const host =
    /^(?:https|ssh):\/\/(?:[^@/]*@)?([^/:@]+)(?::\d+)?\//.exec(repository)?.[1] ??
    /^[^@/:]+@([^/:@]+):/.exec(repository)?.[1];
  return host?.toLowerCase().replace(/\.$/, '');
}

/** Whether Git speaks SSH with a repository, and so needs a key. */
export function isSshRepository(repository: string): boolean {
  return !repository.startsWith('https://');
}

/**
 * Whether an address is one of the public internet: not private, loopback, link-local, shared, multicast or
 * reserved, and not such an IPv4 address in the clothes of IPv6. Whoever connects asks this of the address
 * that a name resolved to, of every redirect again, and connects to that very address.
 */
export function isPublicAddress(text: string): boolean {
  if (!ipaddr.isValid(text)) return false;
  const address = ipaddr.process(text);
  if (address.range() !== 'unicast') return false;
  return address.kind() === 'ipv4' || (address as ipaddr.IPv6).match(ipaddr.IPv6.parse('2000::'), 3);
}

const LOCAL_NAMES = /(?:^|\.)(?:localhost|localdomain|local|internal|intranet|lan|home\.arpa|corp|private)$/;

/**
 * Whether a repository's host may be asked: a name with a dot that is not one of a local network, or a
 * public address. An address in any spelling that C's resolvers take (`127.1`, `0x7f000001`) counts as one.
 * A name may still resolve to a private address: that is for whoever resolves it.
 */
export function isPublicGitHost(host: string): boolean {
  if (/^(?:0x[0-9a-f]*|\d+)$/.test(host.split('.').at(-1) ?? ''))
    return ipaddr.IPv4.isValid(host) && isPublicAddress(ipaddr.IPv4.parse(host).toString());
  return host.length <= 253 && host.includes('.') && !host.split('.').includes('') && !LOCAL_NAMES.test(host);
}

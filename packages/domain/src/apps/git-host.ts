import ipaddr from 'ipaddr.js';
import { allowlistAdmits } from '../network/ip-address.ts';

const HTTPS_REPOSITORY = /^https:\/\/[A-Za-z0-9.-]+(?::\d{1,5})?\/[A-Za-z0-9._~%/+-]+$/;
const SSH_REPOSITORY =
  /^(?!-)(?:ssh:\/\/[A-Za-z0-9._-]+@[A-Za-z0-9.-]+(?::\d{1,5})?\/|[A-Za-z0-9._-]+@[A-Za-z0-9.-]+:)[A-Za-z0-9._~/+-]+$/;
const CREDENTIALS = /^(?:https:\/\/[^/]*@|ssh:\/\/[^/@]*:[^/]*@|[^/@]*:[^/@]*@)/;

/**
 * Whether a text is the address of a repository: `https://host/path`, `ssh://user@host/path` or `user@host:path`. No
 * address holds a password or a token: Git passes it to its own programs as an argument, which others may see.
 */
export function isGitRepository(text: string): boolean {
  return HTTPS_REPOSITORY.test(text) || SSH_REPOSITORY.test(text);
}

/** Whether a text that was meant as the address of a repository holds a password or a token. */
export function hasGitCredentials(text: string): boolean {
  return CREDENTIALS.test(text);
}

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

/**
 * The same where the operator allows networks that are not public: an address in one of them may be asked too. So may
 * any name, for only who resolves it knows where it leads.
 */
export function isAllowedGitHost(host: string, allowedNetworks: readonly string[]): boolean {
  if (isPublicGitHost(host)) return true;
  if (allowedNetworks.length === 0) return false;
  if (ipaddr.IPv4.isValidFourPartDecimal(host)) return allowlistAdmits(allowedNetworks, host);
  const labels = host.split('.');
  return host.length <= 253 && !labels.includes('') && !/^(?:0x[0-9a-f]*|\d+)$/.test(labels.at(-1)!);
}

/**
 * Which repositories an app may be cloned from. The contract checks the address of a repository (`git-source.ts`), the
 * services its host (`app-settings.ts`), and the agent every address that the name resolves to (`git-server.ts`) and the
 * redirects and protocols of Git (`clone.ts`).
 */

import ipaddr from 'ipaddr.js';
import { allowlistAdmits } from '../network/ip-address.ts';

const HTTPS_REPOSITORY = /^https:\/\/[A-Za-z0-9.-]+(?::\d{1,5})?\/[A-Za-z0-9._~%/+-]+$/;
const SSH_REPOSITORY =
  /^(?!-)(?:ssh:\/\/[A-Za-z0-9._-]+@[A-Za-z0-9.-]+(?::\d{1,5})?\/|[A-Za-z0-9._-]+@[A-Za-z0-9.-]+:)[A-Za-z0-9._~/+-]+$/;
const CREDENTIALS = /^(?:https:\/\/[^/]*@|ssh:\/\/[^/@]*:[^/]*@|[^/@]*:[^/@]*@)/;

/**
 * Whether a text is the address of a repository: `https://host/path`, `ssh://user@host/path` or `user@host:path`. An
 * address must not contain a password or token, because Git passes it to its own programs as an argument, which other
 * users can see.
 */
export function isGitRepository(text: string): boolean {
  return HTTPS_REPOSITORY.test(text) || SSH_REPOSITORY.test(text);
}

/** Whether a text in the place of a repository's address contains a password or a token. */
export function hasGitCredentials(text: string): boolean {
  return CREDENTIALS.test(text);
}

/** The host of a repository's address: `https://`, `ssh://` or `user@host:path`. Undefined for another form. */
export function gitHostOf(repository: string): string | undefined {
  const host =
    /^(?:https|ssh):\/\/(?:[^@/]*@)?([^/:@]+)(?::\d+)?\//.exec(repository)?.[1] ??
    /^[^@/:]+@([^/:@]+):/.exec(repository)?.[1];
  return host?.toLowerCase().replace(/\.$/, '');
}

/** Whether Git connects to a repository with SSH, and so needs a key. */
export function isSshRepository(repository: string): boolean {
  return !repository.startsWith('https://');
}

/**
 * Whether an address belongs to the public internet: not private, loopback, link-local, shared, multicast or reserved,
 * and not such an IPv4 address mapped to IPv6. Before each connection, and again for every redirect, the client checks
 * the address that the name resolved to, and connects to exactly that address.
 */
export function isPublicAddress(text: string): boolean {
  if (!ipaddr.isValid(text)) return false;
  const address = ipaddr.process(text);
  if (address.range() !== 'unicast') return false;
  return address.kind() === 'ipv4' || (address as ipaddr.IPv6).match(ipaddr.IPv6.parse('2000::'), 3);
}

const LOCAL_NAMES = /(?:^|\.)(?:localhost|localdomain|local|internal|intranet|lan|home\.arpa|corp|private)$/;

/**
 * Whether connecting to a repository's host is allowed: a name with a dot that is not a local network's, or a public
 * address. Addresses in every notation that C's resolvers accept (`127.1`, `0x7f000001`) count as addresses. A name can
 * still resolve to a private address, so the resolving program must check that.
 */
export function isPublicGitHost(host: string): boolean {
  if (/^(?:0x[0-9a-f]*|\d+)$/.test(host.split('.').at(-1) ?? ''))
    return ipaddr.IPv4.isValid(host) && isPublicAddress(ipaddr.IPv4.parse(host).toString());
  return host.length <= 253 && host.includes('.') && !host.split('.').includes('') && !LOCAL_NAMES.test(host);
}

/**
 * The same if the operator allows non-public networks: an address in one of them is allowed too. Every name is allowed
 * too, because only the resolving program knows its address.
 */
export function isAllowedGitHost(host: string, allowedNetworks: readonly string[]): boolean {
  if (isPublicGitHost(host)) return true;
  if (allowedNetworks.length === 0) return false;
  if (ipaddr.IPv4.isValidFourPartDecimal(host)) return allowlistAdmits(allowedNetworks, host);
  const labels = host.split('.');
  return host.length <= 253 && !labels.includes('') && !/^(?:0x[0-9a-f]*|\d+)$/.test(labels.at(-1)!);
}

import ipaddr from 'ipaddr.js';
import { DOMAIN_NAME_PATTERN } from '../domains/domain-name.ts';
import { canonicalAddress } from '../network/ip-address.ts';

/** A mail server may be in the operator's own network. Link-local addresses include those of cloud metadata. */
const ALLOWED = new Set(['unicast', 'private', 'uniqueLocal', 'carrierGradeNat', 'loopback']);

/** Whether the control plane may send mail to a server with this address. */
export function isMailServerAddress(text: string): boolean {
  return ipaddr.isValid(text) && ALLOWED.has(ipaddr.process(text).range());
}

/** Whether a text is a host name with a dot, `localhost`, or an address in canonical form. */
export function isMailServerHost(text: string): boolean {
  return text === 'localhost' || canonicalAddress(text) === text || DOMAIN_NAME_PATTERN.test(text);
}

export function isLoopbackAddress(text: string): boolean {
  return ipaddr.isValid(text) && ipaddr.process(text).range() === 'loopback';
}

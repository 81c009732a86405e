import ipaddr from 'ipaddr.js';

/** A mail server may be in the operator's own network. Link-local addresses include those of cloud metadata. */
const ALLOWED = new Set(['unicast', 'private', 'uniqueLocal', 'carrierGradeNat', 'loopback']);

/** Whether the control plane may send mail to a server with this address. */
export function isMailServerAddress(text: string): boolean {
  return ipaddr.isValid(text) && ALLOWED.has(ipaddr.process(text).range());
}

export function isLoopbackAddress(text: string): boolean {
  return ipaddr.isValid(text) && ipaddr.process(text).range() === 'loopback';
}

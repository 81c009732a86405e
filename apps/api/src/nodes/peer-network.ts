import { networkOf } from '../http/request/rate-limit.ts';

/** Returns the address of a peer as rate limits count it: an IPv4 address, or the /64 network of an IPv6 address. */
export function networkOfPeer(address: string): string {
  return networkOf(address.replace(/^::ffff:(?=\d+\.)/i, ''));
}

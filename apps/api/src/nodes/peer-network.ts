import { networkOf } from '../http/request/rate-limit.ts';

/** The address of a peer as limits count it: an IPv4 address, or the network of 64 bits of an IPv6 address. */
export function networkOfPeer(address: string): string {
  return networkOf(address.replace(/^::ffff:(?=\d+\.)/i, ''));
}

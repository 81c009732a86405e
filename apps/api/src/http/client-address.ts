import { allowlistAdmits, canonicalAddress } from '@innkeeper/domain';

/** The client's address, in canonical form; empty where there is none, which no allowlist admits. */
export type ClientAddress = (remoteAddress: string | undefined, forwardedFor: string | undefined) => string;

/**
 * Whoever speaks to us is the client, unless it is a configured proxy: then it is the last address of
 * X-Forwarded-For that is not one. What stands before that address is the client's own word.
 */
export function createClientAddress(trustedProxies: readonly string[]): ClientAddress {
  const isProxy = (address: string) => trustedProxies.length > 0 && allowlistAdmits(trustedProxies, address);
  return (remoteAddress, forwardedFor) => {
    let address = canonicalAddress(remoteAddress ?? '') ?? '';
    const hops = forwardedFor === undefined ? [] : forwardedFor.split(',').reverse();
    for (const hop of hops) {
      if (!isProxy(address)) break;
      const previous = canonicalAddress(hop.trim());
      if (previous === undefined) break;
      address = previous;
    }
    return address;
  };
}

import { allowlistAdmits, canonicalAddress } from '@innkeeper/domain';

/** The client's address, in canonical form; empty where there is none, which no allowlist admits. */
export type ClientAddress = (remoteAddress: string | undefined, forwardedFor: string | undefined) => string;

/**
 * Whoever speaks to us is the client, unless it is a configured proxy: then it is the last address of
 * X-Forwarded-For that is not one. What stands before that address is the client's own word.
 */
export function createClientAddress(trustedProxies: readonly string[]): ClientAddress {
  const isProxy = proxyTest(trustedProxies);
  const canonical = remembering(canonicalAddress);
  return (remoteAddress, forwardedFor) => {
    let address = canonical(remoteAddress ?? '') ?? '';
    const hops = forwardedFor === undefined ? [] : forwardedFor.split(',').reverse();
    for (const hop of hops) {
      if (!isProxy(address)) break;
      const previous = canonical(hop.trim());
      if (previous === undefined) break;
      address = previous;
    }
    return address;
  };
}

/** Whether the client speaks HTTPS. `encrypted`: whether the connection that ends here does. */
export type IsSecure = (
  remoteAddress: string | undefined,
  encrypted: boolean,
  forwardedProto: string | undefined,
) => boolean;

/**
 * What a configured proxy says in X-Forwarded-Proto counts; where several have spoken, the last one, which
 * is the one that speaks to us. Nobody else is asked.
 */
export function createIsSecure(trustedProxies: readonly string[]): IsSecure {
  const isProxy = proxyTest(trustedProxies);
  return (remoteAddress, encrypted, forwardedProto) => {
    const said = forwardedProto?.split(',').at(-1)?.trim().toLowerCase();
    if (said !== undefined && isProxy(canonicalAddress(remoteAddress ?? '') ?? '')) return said === 'https';
    return encrypted;
  };
}

function proxyTest(trustedProxies: readonly string[]): (address: string) => boolean {
  if (trustedProxies.length === 0) return () => false;
  return remembering((address) => allowlistAdmits(trustedProxies, address));
}

const MAX_REMEMBERED = 1_000;
const ADDRESS_MAX_CHARACTERS = 45;

/** What `of` says of an address, for the few that come with every request. */
function remembering<T>(of: (text: string) => T): (text: string) => T {
  const known = new Map<string, T>();
  return (text) => {
    if (known.has(text)) return known.get(text) as T;
    const said = of(text);
    if (text.length > ADDRESS_MAX_CHARACTERS) return said;
    if (known.size >= MAX_REMEMBERED) known.clear();
    known.set(text, said);
    return said;
  };
}

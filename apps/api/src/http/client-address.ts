import { allowlistAdmits, canonicalAddress } from '@innkeeper/domain';

/** The client's address, in canonical form; empty where there is none, which no allowlist admits. */
export type ClientAddress = (remoteAddress: string | undefined, forwardedFor: string | undefined) => string;

/**
 * Whoever speaks to us is the client, unless it is a configured proxy: then it is the last address of
 * X-Forwarded-For that is not one. What stands before that address is the client's own word.
 */
export function createClientAddress(trustedProxies: readonly string[]): ClientAddress {
  const isProxy = proxyTest(trustedProxies);
  const canonical = rememberingCanonical();
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
  return (address) => trustedProxies.length > 0 && allowlistAdmits(trustedProxies, address);
}

const MAX_REMEMBERED = 1_000;
const ADDRESS_MAX_CHARACTERS = 45;

/** `canonicalAddress` for the few texts that come with every request. */
function rememberingCanonical(): typeof canonicalAddress {
  const known = new Map<string, string | undefined>();
  return (text) => {
    if (known.has(text)) return known.get(text);
    const address = canonicalAddress(text);
    if (text.length > ADDRESS_MAX_CHARACTERS) return address;
    if (known.size >= MAX_REMEMBERED) known.clear();
    known.set(text, address);
    return address;
  };
}

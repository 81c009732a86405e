import { allowlistAdmits, canonicalAddress } from '@innkeeper/domain';

/** Returns the client's address in canonical form. Empty if there is none; no allowlist admits that. */
export type ClientAddress = (remoteAddress: string | undefined, forwardedFor: string | undefined) => string;

/**
 * The peer of the connection is the client, unless it is a trusted proxy. Then the client is the last address in
 * X-Forwarded-For that is not a trusted proxy. Everything before that address is untrusted: the client wrote it.
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

/** Returns whether the client uses HTTPS. `encrypted`: whether the connection to this process is TLS. */
export type IsSecure = (
  remoteAddress: string | undefined,
  encrypted: boolean,
  forwardedProto: string | undefined,
) => boolean;

/**
 * X-Forwarded-Proto counts only from a trusted proxy. If it has several values, the last one counts: it is from the
 * proxy that is connected to this process.
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

/** Caches the results of `of`, for the few addresses that come with every request. */
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

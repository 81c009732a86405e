import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

type Address = ipaddr.IPv4 | ipaddr.IPv6;

/**
 * The canonical form of an address, for storing and comparing: four decimals, or IPv6 as in RFC 5952. An IPv4-mapped
 * IPv6 address becomes the IPv4 address. Undefined for a text that is not an address. Zones, ports, octal and shortened
 * forms are not accepted.
 */
export function canonicalAddress(text: string): string | undefined {
  const address = parseAddress(text);
  return address && spell(address);
}

/** The same for a range (`10.0.0.0/8`): host bits are cleared, and a range of one address becomes the address. */
export function canonicalRange(text: string): string | undefined {
  const range = parseRange(text);
  if (range === undefined) return undefined;
  const [address, bits] = range;
  return bits === widthOf(address) ? spell(address) : `${spell(clearHostBits(address, bits))}/${bits}`;
}

/**
 * Whether an allowlist of canonical addresses and ranges allows a client. An empty list allows every client. A
 * non-empty list rejects a client whose address is malformed.
 */
export function allowlistAdmits(allowlist: readonly string[], clientAddress: string): boolean {
  if (allowlist.length === 0) return true;
  const client = parseAddress(clientAddress);
  return client !== undefined && allowlist.some((entry) => contains(entry, client));
}

/** The 4 or 16 bytes of an address. An IPv4-mapped IPv6 address has 4. Undefined for a text that is not an address. */
export function addressBytes(text: string): number[] | undefined {
  return parseAddress(text)?.toByteArray();
}

function contains(entry: string, client: Address): boolean {
  const range = parseRange(entry);
  return range !== undefined && range[0].kind() === client.kind() && client.match(range);
}

function parseAddress(text: string): Address | undefined {
  return isIP(text) === 0 || text.includes('%') ? undefined : ipaddr.process(text);
}

function parseRange(text: string): [Address, number] | undefined {
  const [, addressText = '', bitsText] = /^([^/]*)(?:\/(\d{1,3}))?$/.exec(text) ?? [];
  const address = parseAddress(addressText);
  if (address === undefined || bitsText?.match(/^0\d/)) return undefined;
  if (bitsText === undefined) return [address, widthOf(address)];
  // `::ffff:10.0.0.0/104` includes the 96 bits before the IPv4 address.
  const bits = Number(bitsText) - (addressText.includes(':') && address.kind() === 'ipv4' ? 96 : 0);
  return bits >= 0 && bits <= widthOf(address) ? [address, bits] : undefined;
}

function spell(address: Address): string {
  return address instanceof ipaddr.IPv6 ? address.toRFC5952String() : address.toString();
}

function widthOf(address: Address): number {
  return address.kind() === 'ipv4' ? 32 : 128;
}

function clearHostBits(address: Address, bits: number): Address {
  const bytes = address.toByteArray().map((byte, index) => {
    const kept = Math.min(8, Math.max(0, bits - index * 8));
    return byte & (0xff << (8 - kept)) & 0xff;
  });
  return ipaddr.fromByteArray(bytes);
}

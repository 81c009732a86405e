import { canonicalAddress } from '@innkeeper/domain';

/** The type of the DNS record that leads to a server's address: an IP address or a host name. */
export function recordType(address: string): 'A' | 'AAAA' | 'CNAME' {
  if (canonicalAddress(address) === undefined) return 'CNAME';
  return address.includes(':') ? 'AAAA' : 'A';
}

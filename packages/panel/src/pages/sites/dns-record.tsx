import { canonicalAddress } from '@innkeeper/domain';
import { Card, Copyable, Facts } from '../../ui/parts.tsx';
import type { SiteParts } from './site-page.tsx';

/** The record that the customer adds at the DNS provider. */
export function DnsRecord({ domain: { domain_name }, server: { address } }: SiteParts) {
  const type = recordType(address);
  return (
    <Card title="DNS record">
      <p>
        {`Add this record at the DNS provider of ${domain_name}. Visitors and the certificate authority need it to find the site. A DNS change can take some hours.`}
      </p>
      <Facts facts={[['Type', type]]} />
      <Copyable id="dns-name" label="Name" text={domain_name} />
      <Copyable id="dns-value" label="Value" text={address} />
      {type === 'CNAME' ? (
        <p class="muted">
          If your DNS provider does not allow a CNAME record for the domain itself, use its replacement, often
          called ALIAS or ANAME.
        </p>
      ) : null}
    </Card>
  );
}

function recordType(address: string): 'A' | 'AAAA' | 'CNAME' {
  if (canonicalAddress(address) === undefined) return 'CNAME';
  return address.includes(':') ? 'AAAA' : 'A';
}

import { useTexts } from '../../language/use-texts.ts';
import { recordType } from '../../ui/dns-record-type.ts';
import { Card, Copyable, Facts } from '../../ui/parts.tsx';
import type { SiteParts } from './site-page.tsx';
import { siteTexts } from './texts/index.ts';

/** The record that the customer adds at the DNS provider. */
export function DnsRecord({ domain: { domain_name }, server: { address } }: SiteParts) {
  const texts = useTexts(siteTexts);
  const type = recordType(address);
  return (
    <Card title={texts.dnsRecord}>
      <p>{texts.addRecord(domain_name)}</p>
      <Facts facts={[[texts.type, type]]} />
      <Copyable id="dns-name" label={texts.name} text={domain_name} />
      <Copyable id="dns-value" label={texts.value} text={address} />
      {type === 'CNAME' ? <p class="muted">{texts.noCname}</p> : null}
    </Card>
  );
}

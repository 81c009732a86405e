import { useTexts } from '../../language/use-texts.ts';
import { recordType } from '../../ui/dns-record-type.ts';
import { Card, Copyable } from '../../ui/parts.tsx';
import type { SiteParts } from './site-page.tsx';
import { siteTexts } from './texts/index.ts';

/** The records that the customer adds at the DNS provider: for the domain, and for `www.` before it, which the site has too. */
export function DnsRecords({ domain: { domain_name }, server: { address } }: SiteParts) {
  const texts = useTexts(siteTexts);
  const type = recordType(address);
  const names = domain_name.startsWith('www.') ? [domain_name] : [domain_name, `www.${domain_name}`];
  return (
    <Card title={texts.dnsRecords}>
      <p>{texts.addRecords(domain_name)}</p>
      {names.map((name, at) => (
        <div class="stack stack-3">
          <h3>{at === 0 ? texts.recordOf(type) : texts.recordOfWww(type)}</h3>
          <Copyable id={`dns-name-${at}`} label={texts.name} text={name} />
          <Copyable id={`dns-value-${at}`} label={texts.value} text={address} />
        </div>
      ))}
      {type === 'CNAME' ? <p class="muted">{texts.noCname}</p> : null}
    </Card>
  );
}

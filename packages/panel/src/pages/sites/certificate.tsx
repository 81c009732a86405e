import type { DnsState, DomainListItem } from '@innkeeper/services';
import { ButtonForm, Refusal } from '../../ui/form.tsx';
import { Badge, Card, Facts, Live, Moment, Status } from '../../ui/parts.tsx';
import type { SiteParts } from './site-page.tsx';

type Ssl = DomainListItem['ssl'];

/** State of a certificate in a table cell. */
export function CertificateSummary({ ssl, now }: { ssl: Ssl; now: Date }) {
  return (
    <>
      <Status status={ssl.status} />{' '}
      {ssl.expires_at === null ? null : <Expiry at={ssl.expires_at} now={now} />}
    </>
  );
}

function Expiry({ at, now }: { at: Date; now: Date }) {
  return (
    <span class="muted">
      {at < now ? 'expired ' : 'until '}
      <Moment at={at} />
    </span>
  );
}

/** The certificate of a site: its state, or what it waits for, and the button that requests one. */
export function Certificate(parts: SiteParts) {
  const { c, domain, dns, now, refusedAs } = parts;
  const { id, status, ssl } = domain;
  const refused = refusedAs('ssl');
  const isPending = ssl.status === 'pending' || status === 'pending';
  const isReady = status === 'active' || status === 'failed';
  return (
    <Card title="HTTPS">
      <Live
        id="certificate"
        busy={isPending || dns !== undefined}
        path={`/sites/${id}`}
        everyS={isPending ? 2 : DNS_EVERY_S}
      >
        <div class="stack">
          {dns === undefined ? (
            <CertificateState ssl={ssl} now={now} />
          ) : (
            <WaitingForDns {...parts} dns={dns} />
          )}
          <Refusal state={refused ?? refusedAs('check-dns')} />
          {refused !== undefined || (isReady && !isPending) ? (
            <div class="actions">
              {dns === undefined ? null : (
                <ButtonForm c={c} action={`/sites/${id}/check-dns`} submit="Check DNS now" />
              )}
              <ButtonForm
                c={c}
                action={`/sites/${id}/ssl`}
                submit={ssl.status === 'none' ? 'Request a certificate' : 'Request a new certificate'}
              />
            </div>
          ) : null}
        </div>
      </Live>
    </Card>
  );
}

/** A page that waits for a change of DNS refreshes at this interval, s. */
const DNS_EVERY_S = 30;

/** A site without a certificate: what its DNS said last, and when the panel looks again. */
function WaitingForDns({ domain, server, dns }: SiteParts & { dns: DnsState }) {
  const { looked_at, next_look_at } = dns;
  return (
    <>
      <Facts
        facts={[
          [
            'Status',
            <Badge tone={looked_at === null ? 'busy' : 'warn'}>
              {looked_at === null ? 'Checking DNS' : 'Waiting for DNS'}
            </Badge>,
          ],
          ...(looked_at === null ? [] : [['Last check', <Moment at={looked_at} />] as const]),
          ...(next_look_at === null ? [] : [['Next check', <Moment at={next_look_at} />] as const]),
        ]}
      />
      <p>{dnsSentence(domain.domain_name, server.address, dns)}</p>
      <p class="muted">
        {`The site has no certificate yet. The panel requests one by itself as soon as ${domain.domain_name} points to ${server.address}. It then renews automatically.`}
      </p>
    </>
  );
}

function dnsSentence(name: string, wanted: string, { looked_at, found, error }: DnsState): string {
  if (looked_at === null) return `The first check of ${name} runs within a minute.`;
  if (error !== null) return error;
  if (found === null) return 'DNS is checked while the account is active.';
  const has =
    found.length === 0
      ? 'no address'
      : `the ${found.length === 1 ? 'address' : 'addresses'} ${found.join(', ')}`;
  return `${name} has ${has}. It should have ${wanted}.`;
}

/** State of a domain's certificate in words. */
function CertificateState({ ssl, now }: { ssl: Ssl; now: Date }) {
  const { status, issuer, expires_at, error } = ssl;
  return (
    <>
      <Facts
        facts={[
          ['Status', <Status status={status} />],
          ...(issuer === null ? [] : [['Issued by', issuer] as const]),
          ...(expires_at === null
            ? []
            : [[expires_at < now ? 'Expired' : 'Expires', <Moment at={expires_at} />] as const]),
        ]}
      />
      <p>{sentenceOf(ssl, now)}</p>
      {error === null ? null : (
        <>
          <p>Reason:</p>
          <pre>{error}</pre>
        </>
      )}
    </>
  );
}

function sentenceOf({ status, expires_at }: Ssl, now: Date): string {
  const serves = expires_at !== null && expires_at >= now;
  if (status === 'pending')
    return serves
      ? 'A new certificate is being requested. The current certificate stays in use.'
      : 'A certificate is being requested. This takes up to a few minutes.';
  if (status === 'failed')
    return serves
      ? 'No new certificate was issued. The current certificate stays in use until it expires. Check the DNS record, then request a certificate again.'
      : 'No certificate was issued. Check the DNS record, then request a certificate again.';
  return serves
    ? 'The site is available at https://. The certificate renews automatically.'
    : 'The certificate has expired. Request a new certificate.';
}

import type { DomainListItem } from '@innkeeper/services';
import { freshForm, PostForm } from '../../ui/form.tsx';
import { Card, Facts, Live, Moment, Status } from '../../ui/parts.tsx';
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

/** The certificate of a site, and the button that requests one. */
export function Certificate({ c, domain: { id, status, ssl }, now, refusedAs }: SiteParts) {
  const refused = refusedAs('ssl');
  const isPending = ssl.status === 'pending';
  const isReady = status === 'active' || status === 'failed';
  return (
    <Card title="HTTPS">
      <Live id="certificate" busy={isPending || status === 'pending'} path={`/sites/${id}`}>
        <div class="stack">
          <CertificateState ssl={ssl} now={now} />
          {refused !== undefined || (isReady && !isPending) ? (
            <PostForm
              c={c}
              action={`/sites/${id}/ssl`}
              state={refused ?? freshForm()}
              submit={ssl.status === 'none' ? 'Request a certificate' : 'Request a new certificate'}
            />
          ) : null}
        </div>
      </Live>
    </Card>
  );
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
  if (status === 'none') return 'The site has no certificate yet. Browsers show it as not secure.';
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

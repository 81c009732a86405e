import type { DomainListItem } from '@innkeeper/services';
import { Facts, Moment, Status } from '../../ui/parts.tsx';

type Certificate = DomainListItem['ssl'];

/** A certificate's state in a line of a table. */
export function CertificateSummary({ ssl, now }: { ssl: Certificate; now: Date }) {
  return (
    <>
      <Status status={ssl.status} />{' '}
      {ssl.expires_at === null ? null : <Expiry at={ssl.expires_at} now={now} />}
    </>
  );
}

function Expiry({ at, now }: { at: Date; now: Date }) {
  return (
    <span class="soft">
      {at < now ? 'expired ' : 'until '}
      <Moment at={at} />
    </span>
  );
}

/** What stands with a domain's certificate, in words. */
export function CertificateState({ ssl, now }: { ssl: Certificate; now: Date }) {
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
          <p>In the words of the authority:</p>
          <pre>{error}</pre>
        </>
      )}
    </>
  );
}

function sentenceOf({ status, expires_at }: Certificate, now: Date): string {
  const serves = expires_at !== null && expires_at >= now;
  if (status === 'none') return 'The site has no certificate yet: browsers call it not secure.';
  if (status === 'pending')
    return serves
      ? 'Another certificate is being requested. The one of now serves meanwhile.'
      : 'A certificate is being requested. That takes up to a few minutes.';
  if (status === 'failed')
    return serves
      ? 'No new certificate was issued. The one of before still serves until it expires. Check what DNS says, then ask again.'
      : 'No certificate was issued. Check what DNS says, then ask again.';
  return serves
    ? 'The site is reached by https://. The certificate is renewed by itself.'
    : 'The certificate has expired. Ask for another one.';
}

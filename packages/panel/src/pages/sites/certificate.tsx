import type { DnsState, DomainListItem } from '@innkeeper/services';
import { useTexts, useTranslate } from '../../language/use-texts.ts';
import { ButtonForm, Refusal } from '../../ui/form.tsx';
import { Badge, Card, Facts, Live, Moment, Status } from '../../ui/parts.tsx';
import type { SiteParts } from './site-page.tsx';
import { siteTexts } from './texts/index.ts';

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
  const texts = useTexts(siteTexts);
  return (
    <span class="muted">
      {at < now ? texts.expiredOn : texts.validUntil}
      <Moment at={at} />
    </span>
  );
}

/** The certificate of a site: its state, or what it waits for, and the button that requests one. */
export function Certificate(parts: SiteParts) {
  const texts = useTexts(siteTexts);
  const { c, domain, dns, now, refusedAs } = parts;
  const { id, status, ssl } = domain;
  const refused = refusedAs('ssl');
  const isPending = ssl.status === 'pending' || status === 'pending';
  const isReady = status === 'active' || status === 'failed';
  return (
    <Card title={texts.https}>
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
                <ButtonForm c={c} action={`/sites/${id}/check-dns`} submit={texts.checkDns} />
              )}
              <ButtonForm
                c={c}
                action={`/sites/${id}/ssl`}
                submit={ssl.status === 'none' ? texts.request : texts.requestNew}
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
  const texts = useTexts(siteTexts);
  const translate = useTranslate();
  const { looked_at, next_look_at } = dns;
  return (
    <>
      <Facts
        facts={[
          [
            texts.status,
            <Badge tone={looked_at === null ? 'busy' : 'warn'}>
              {looked_at === null ? texts.checkingDns : texts.waitingForDns}
            </Badge>,
          ],
          ...(looked_at === null ? [] : [[texts.lastCheck, <Moment at={looked_at} />] as const]),
          ...(next_look_at === null ? [] : [[texts.nextCheck, <Moment at={next_look_at} />] as const]),
        ]}
      />
      <p>{dnsSentence(domain.domain_name, server.address, dns, texts, translate)}</p>
      <p class="muted">{texts.waitsForDns(domain.domain_name, server.address)}</p>
    </>
  );
}

type SiteTexts = typeof siteTexts.en;

function dnsSentence(
  name: string,
  wanted: string,
  { looked_at, found, error }: DnsState,
  texts: SiteTexts,
  translate: (sentence: string) => string,
): string {
  if (looked_at === null) return texts.firstCheck(name);
  if (error !== null) return translate(error);
  if (found === null) return texts.dnsWhileActive;
  return texts.foundInDns(name, found, wanted);
}

/** State of a domain's certificate in words. */
function CertificateState({ ssl, now }: { ssl: Ssl; now: Date }) {
  const texts = useTexts(siteTexts);
  const translate = useTranslate();
  const { status, issuer, expires_at, error } = ssl;
  return (
    <>
      <Facts
        facts={[
          [texts.status, <Status status={status} />],
          ...(issuer === null ? [] : [[texts.issuedBy, issuer] as const]),
          ...(expires_at === null
            ? []
            : [[expires_at < now ? texts.expired : texts.expires, <Moment at={expires_at} />] as const]),
        ]}
      />
      <p>{sentenceOf(ssl, now, texts)}</p>
      {error === null ? null : (
        <>
          <p>{texts.reason}</p>
          <pre>{translate(error)}</pre>
        </>
      )}
    </>
  );
}

function sentenceOf({ status, expires_at }: Ssl, now: Date, texts: SiteTexts): string {
  const serves = expires_at !== null && expires_at >= now;
  if (status === 'pending') return serves ? texts.renewing : texts.requesting;
  if (status === 'failed') return serves ? texts.notRenewed : texts.notIssued;
  return serves ? texts.serves : texts.hasExpired;
}

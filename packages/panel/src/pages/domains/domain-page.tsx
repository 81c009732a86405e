import { canonicalAddress } from '@innkeeper/domain';
import { type DomainView, getDomain, getHosting, listProblems } from '@innkeeper/services';
import type { PanelContext } from '../../env.ts';
import type { Refused } from '../../http/form.ts';
import { findRecord, recordId } from '../../http/record-id.ts';
import { goToWithNotice } from '../../http/redirect.ts';
import { customerContext } from '../../http/session.ts';
import { Confirm, freshForm, PostForm, Refusal } from '../../ui/form.tsx';
import { page } from '../../ui/page.tsx';
import { Card, Copyable, Facts, Live, Moment, Status } from '../../ui/parts.tsx';
import { RecordState } from '../../ui/record-state.tsx';
import { CertificateState } from './certificate.tsx';
import { SiteHealth } from './site-health.tsx';

/** A form of this page that was refused. */
export interface RefusedForm {
  form: 'ssl' | 'remove' | 'retry';
  state: Refused;
}

/** One domain: its site, DNS record and certificate. */
export async function domainPage(c: PanelContext, refused?: RefusedForm): Promise<Response> {
  const ctx = customerContext(c);
  const [domain, { server }, problems] = await Promise.all([
    findRecord(c, () => getDomain(customerContext(c), { domain_id: recordId(c) })),
    getHosting(ctx, { account_id: ctx.actor.accountId }),
    listProblems(ctx, { account_ids: [ctx.actor.accountId] }),
  ]);
  if (domain === undefined) return goToWithNotice(c, '/domains', 'The domain was removed.');
  const refusedAs = (form: RefusedForm['form']) => (refused?.form === form ? refused.state : undefined);
  return page(
    c,
    {
      title: `Domain ${domain.domain_name}`,
      heading: domain.domain_name,
      above: [{ name: 'Domains', path: '/domains' }],
      status: refused?.state.status ?? 200,
    },
    domain.status === 'removing' ? (
      <>
        <Refusal state={refused?.state} />
        <Site domain={domain} now={ctx.now()} />
      </>
    ) : (
      <>
        <Refusal state={refusedAs('retry')} />
        <SiteHealth c={c} domain={domain} problems={problems.get(ctx.actor.accountId) ?? []} />
        <div class="half">
          <Site domain={domain} now={ctx.now()} />
          <Dns domain={domain} address={server.address} />
        </div>
        <Ssl c={c} domain={domain} now={ctx.now()} refused={refusedAs('ssl')} />
        <Removal c={c} domain={domain} refused={refusedAs('remove')} />
      </>
    ),
  );
}

function Site({ domain, now }: { domain: DomainView; now: Date }) {
  const { id, domain_name, is_primary, document_root, status, status_reason, ssl, created_at } = domain;
  const isSecure = ssl.expires_at !== null && ssl.expires_at >= now;
  const url = `${isSecure ? 'https' : 'http'}://${domain_name}/`;
  return (
    <Live id="site" busy={status === 'pending' || status === 'removing'} path={`/domains/${id}`}>
      <Card title="Site">
        <Facts
          facts={[
            ['Status', <Status status={status} />],
            [
              'Address',
              <a href={url} rel="noreferrer">
                {url}
              </a>,
            ],
            ['Primary', is_primary ? 'yes' : 'no'],
            ['Folder', <code>{document_root}</code>],
            ['Added', <Moment at={created_at} />],
          ]}
        />
        {status === 'failed' ? null : <RecordState what="domain" status={status} reason={status_reason} />}
      </Card>
    </Live>
  );
}

/** The record that the customer adds at the DNS provider. */
function Dns({ domain: { domain_name }, address }: { domain: DomainView; address: string }) {
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

interface FormPart {
  c: PanelContext;
  domain: DomainView;
  refused: Refused | undefined;
}

function Ssl({ c, domain: { id, status, ssl }, now, refused }: FormPart & { now: Date }) {
  const isPending = ssl.status === 'pending';
  const isReady = status === 'active' || status === 'failed';
  return (
    <Card title="Certificate (SSL)">
      <Live id="certificate" busy={isPending || status === 'pending'} path={`/domains/${id}`}>
        <div class="stack">
          <CertificateState ssl={ssl} now={now} />
          {refused !== undefined || (isReady && !isPending) ? (
            <SslForm c={c} id={id} hasOne={ssl.status !== 'none'} refused={refused} />
          ) : null}
        </div>
      </Live>
    </Card>
  );
}

function SslForm({
  c,
  id,
  hasOne,
  refused,
}: {
  c: PanelContext;
  id: number;
  hasOne: boolean;
  refused: Refused | undefined;
}) {
  const state = refused ?? freshForm();
  return (
    <PostForm
      c={c}
      action={`/domains/${id}/ssl`}
      state={state}
      submit={hasOne ? 'Request a new certificate' : 'Install a certificate'}
    />
  );
}

function Removal({ c, domain: { id, domain_name, document_root }, refused }: FormPart) {
  return (
    <Card title="Remove this domain">
      <Confirm
        c={c}
        action={`/domains/${id}/remove`}
        ask="Remove the domain"
        submit={`Remove ${domain_name}`}
        open={refused !== undefined}
      >
        <Refusal state={refused} />
        <p>
          {`The server stops serving the site at ${domain_name} and removes its certificate. An app at this domain continues without a domain.`}
        </p>
        <p>
          {`Its files stay in ${document_root} and count towards your disk space. If you add the domain again, the server serves them again.`}
        </p>
      </Confirm>
    </Card>
  );
}

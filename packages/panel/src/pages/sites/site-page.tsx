import {
  type DnsState,
  type DomainView,
  getDnsState,
  getDomain,
  getHosting,
  getSite,
  getSiteTraffic,
  type HostingView,
  listProblems,
} from '@innkeeper/services';
import type { PanelContext } from '../../env.ts';
import type { Refused } from '../../http/form.ts';
import { findRecord, recordId } from '../../http/record-id.ts';
import { goToWithNotice } from '../../http/redirect.ts';
import { customerContext } from '../../http/session.ts';
import { Confirm, Refusal } from '../../ui/form.tsx';
import { Icon } from '../../ui/icon.tsx';
import { page } from '../../ui/page.tsx';
import { Ago, Card, Facts, Live, Moment, Status } from '../../ui/parts.tsx';
import { RecordState } from '../../ui/record-state.tsx';
import { isUnderWay } from '../apps/words.ts';
import { SiteTraffic } from '../history/account-history.tsx';
import { Certificate } from './certificate.tsx';
import { DnsRecord } from './dns-record.tsx';
import { findSiteApp, SiteApp, type SiteAppView } from './site-app.tsx';
import { SiteHealth } from './site-health.tsx';
import { SiteMark } from './site-mark.tsx';
import { type SiteForm, SiteSettings } from './site-settings.tsx';

/** A form of this page that was refused. */
export interface RefusedForm {
  form: 'ssl' | 'check-dns' | 'remove' | 'retry' | SiteForm;
  state: Refused;
}

/** What the sections of the page show. */
export interface SiteParts {
  c: PanelContext;
  domain: DomainView;
  app: SiteAppView | undefined;
  server: HostingView['server'];
  /** Undefined for a site whose certificate was requested. */
  dns: DnsState | undefined;
  now: Date;
  refusedAs: (form: RefusedForm['form']) => Refused | undefined;
}

/** One site: its health, certificate, app, folder and DNS record. */
export async function sitePage(c: PanelContext, refused?: RefusedForm): Promise<Response> {
  const ctx = customerContext(c);
  const { accountId } = ctx.actor;
  const domain_id = recordId(c);
  const [domain, app, { server }, problems] = await Promise.all([
    findRecord(c, () => getDomain(ctx, { domain_id })),
    findSiteApp(ctx, domain_id),
    getHosting(ctx, { account_id: accountId }),
    listProblems(ctx, { account_ids: [accountId] }),
  ]);
  if (domain === undefined) return goToWithNotice(c, '/sites', 'The site was removed.');
  const days = await getSiteTraffic(ctx, { domain_id });
  const dns = domain.ssl.status === 'none' ? await getDnsState(ctx, { domain_id }) : undefined;
  const refusedAs = (form: RefusedForm['form']) => (refused?.form === form ? refused.state : undefined);
  const parts: SiteParts = { c, domain, app, server, dns, now: ctx.now(), refusedAs };
  const isLeaving = domain.status === 'removing';
  return page(
    c,
    {
      title: domain.domain_name,
      heading: (
        <span class="site-name">
          <SiteMark c={c} app={app} />
          <span>{domain.domain_name}</span>
        </span>
      ),
      above: [{ name: 'Sites', path: '/sites' }],
      actions: isLeaving ? undefined : <OpenSite {...parts} />,
      status: refused?.state.status ?? 200,
    },
    isLeaving ? (
      <>
        <Refusal state={refused?.state} />
        <Details {...parts} />
      </>
    ) : (
      <>
        <Refusal state={refusedAs('retry')} />
        <Summary {...parts} />
        <SiteHealth {...parts} problems={problems.get(accountId) ?? []} />
        <div class="cols">
          <div class="stack stack-6">
            {/* The sections of a site. A further one is a line here. */}
            <SiteApp {...parts} />
            <Certificate {...parts} />
            <SiteTraffic days={days} />
            <SiteSettings {...parts} site={await getSite(ctx, { domain_id })} />
          </div>
          <div class="stack stack-6">
            <Details {...parts} />
            <DnsRecord {...parts} />
          </div>
        </div>
        <Removal {...parts} />
      </>
    ),
  );
}

function urlOf({ domain: { domain_name, ssl }, now }: SiteParts): string {
  const isSecure = ssl.expires_at !== null && ssl.expires_at >= now;
  return `${isSecure ? 'https' : 'http'}://${domain_name}/`;
}

function OpenSite(parts: SiteParts) {
  return (
    <a class="btn" href={urlOf(parts)} rel="noreferrer">
      <Icon name="open" />
      Open site
    </a>
  );
}

/** The facts of a site in one line: whether it is live, its certificate and its app. */
function Summary({ domain: { id, status, ssl }, app, server, now }: SiteParts) {
  const isChanging =
    status === 'pending' || ssl.status === 'pending' || (app !== undefined && isUnderWay(app.status));
  const isSecure = ssl.expires_at !== null && ssl.expires_at >= now;
  return (
    <Live id="summary" busy={isChanging} path={`/sites/${id}`}>
      <div class="head-meta">
        <Status status={status === 'active' && app !== undefined ? app.status : status} />
        <span>
          <Icon name="lock" />
          {isSecure ? (
            <>
              {'HTTPS until '}
              <Moment at={ssl.expires_at} />
            </>
          ) : (
            'No HTTPS yet'
          )}
        </span>
        <span>
          <Icon name="package" />
          {app?.template_name ?? `PHP ${server.php_version ?? ''}`}
        </span>
      </div>
    </Live>
  );
}

function Details(parts: SiteParts) {
  const { id, is_primary, document_root, status, status_reason, created_at } = parts.domain;
  const url = urlOf(parts);
  return (
    <Live id="site" busy={status === 'pending' || status === 'removing'} path={`/sites/${id}`}>
      <Card title="Details">
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
            ['Folder', <code>{parts.app?.deploy_root ?? document_root}</code>],
            ['Added', <Ago at={created_at} />],
          ]}
        />
        {status === 'failed' ? null : <RecordState what="domain" status={status} reason={status_reason} />}
      </Card>
    </Live>
  );
}

function Removal({ c, domain: { id, domain_name, document_root }, refusedAs }: SiteParts) {
  const refused = refusedAs('remove');
  return (
    <Card title="Remove this site">
      <Confirm
        c={c}
        action={`/sites/${id}/remove`}
        ask="Remove the site"
        submit={`Remove ${domain_name}`}
        open={refused !== undefined}
      >
        <Refusal state={refused} />
        <p>
          {`The server stops serving the site at ${domain_name} and removes its certificate. An app at this domain continues without a domain. Other names for this site become sites of their own.`}
        </p>
        <p>
          {`Its files stay in ${document_root} and count towards your disk space. If you add the domain again, the server serves them again.`}
        </p>
      </Confirm>
    </Card>
  );
}

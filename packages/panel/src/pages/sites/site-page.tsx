import {
  type DnsState,
  type DomainView,
  type EndUserContext,
  getAppControls,
  getDnsState,
  getDomain,
  getHosting,
  getSite,
  getSitePhp,
  getSiteTraffic,
  type HostingView,
  listProblems,
} from '@innkeeper/services';
import type { PanelContext } from '../../env.ts';
import type { Refused } from '../../http/form.ts';
import { findRecord, recordId } from '../../http/record-id.ts';
import { goToWithNotice } from '../../http/redirect.ts';
import { customerContext } from '../../http/session.ts';
import { textsFor } from '../../language/language.ts';
import { useTexts } from '../../language/use-texts.ts';
import { Confirm, Refusal } from '../../ui/form.tsx';
import { Icon } from '../../ui/icon.tsx';
import { page } from '../../ui/page.tsx';
import { Ago, Card, Facts, Live, Moment, Status } from '../../ui/parts.tsx';
import { RecordState } from '../../ui/record-state.tsx';
import { isUnderWay } from '../apps/words.ts';
import { SiteTraffic } from '../history/account-history.tsx';
import { Certificate } from './certificate.tsx';
import { DnsRecords } from './dns-record.tsx';
import { SitePhp } from './php.tsx';
import { findSiteApp, SiteApp, type SiteAppView } from './site-app.tsx';
import { SiteHealth } from './site-health.tsx';
import { SiteMark } from './site-mark.tsx';
import { type SiteForm, SiteSettings } from './site-settings.tsx';
import { siteTexts } from './texts/index.ts';

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
  const texts = textsFor(c, siteTexts);
  const ctx = customerContext(c);
  const { accountId } = ctx.actor;
  const domain_id = recordId(c);
  const [domain, app, { server }, problems] = await Promise.all([
    findRecord(c, () => getDomain(ctx, { domain_id })),
    findSiteApp(ctx, domain_id),
    getHosting(ctx, { account_id: accountId }),
    listProblems(ctx, { account_ids: [accountId] }),
  ]);
  if (domain === undefined) return goToWithNotice(c, '/sites', texts.removedNotice);
  const days = await getSiteTraffic(ctx, { domain_id });
  const dns = domain.ssl.status === 'none' ? await getDnsState(ctx, { domain_id }) : undefined;
  const refusedAs = (form: RefusedForm['form']) => (refused?.form === form ? refused.state : undefined);
  const parts: SiteParts = { c, domain, app, server, dns, now: ctx.now(), refusedAs };
  const isLeaving = domain.status === 'removing';
  const site = await getSite(ctx, { domain_id });
  const runsPhp = site.alias_of === null && (await isPhp(ctx, app));
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
      above: [{ name: texts.sites, path: '/sites' }],
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
            <SiteSettings {...parts} site={site} />
            {runsPhp ? <SitePhp {...parts} php={await getSitePhp(ctx, { domain_id })} /> : null}
          </div>
          <div class="stack stack-6">
            <Details {...parts} />
            <DnsRecords {...parts} />
          </div>
        </div>
        <Removal {...parts} />
      </>
    ),
  );
}

/** A site without an app runs PHP. */
async function isPhp(ctx: EndUserContext, app: SiteAppView | undefined): Promise<boolean> {
  return app === undefined || (await getAppControls(ctx, { app_id: app.id })).runtime === 'php';
}

function urlOf({ domain: { domain_name, ssl }, now }: SiteParts): string {
  const isSecure = ssl.expires_at !== null && ssl.expires_at >= now;
  return `${isSecure ? 'https' : 'http'}://${domain_name}/`;
}

function OpenSite(parts: SiteParts) {
  const texts = useTexts(siteTexts);
  return (
    <a class="btn" href={urlOf(parts)} rel="noreferrer">
      <Icon name="open" />
      {texts.open}
    </a>
  );
}

/** The facts of a site in one line: whether it is live, its certificate and its app. */
function Summary({ domain: { id, status, ssl }, app, server, now }: SiteParts) {
  const texts = useTexts(siteTexts);
  const isChanging =
    status === 'pending' || ssl.status === 'pending' || (app !== undefined && isUnderWay(app.status));
  const isSecure = ssl.expires_at !== null && ssl.expires_at >= now;
  return (
    <Live id="summary" busy={isChanging} path={`/sites/${id}`}>
      <div class="head-meta">
        <Status status={status === 'active' && app !== undefined ? app.status : status} />
        <span>
          <Icon name="lock" />
          {isSecure ? texts.httpsUntil(<Moment at={ssl.expires_at} />) : texts.noHttps}
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
  const texts = useTexts(siteTexts);
  const { id, is_primary, document_root, status, status_reason, created_at } = parts.domain;
  const url = urlOf(parts);
  return (
    <Live id="site" busy={status === 'pending' || status === 'removing'} path={`/sites/${id}`}>
      <Card title={texts.details}>
        <Facts
          facts={[
            [texts.status, <Status status={status} />],
            [
              texts.address,
              <a href={url} rel="noreferrer">
                {url}
              </a>,
            ],
            [texts.primary, is_primary ? texts.yes : texts.no],
            [texts.folder, <code>{parts.app?.deploy_root ?? document_root}</code>],
            [texts.added, <Ago at={created_at} />],
          ]}
        />
        {status === 'failed' ? null : <RecordState what="domain" status={status} reason={status_reason} />}
      </Card>
    </Live>
  );
}

function Removal({ c, domain: { id, domain_name, document_root }, refusedAs }: SiteParts) {
  const texts = useTexts(siteTexts);
  const refused = refusedAs('remove');
  return (
    <Card title={texts.removeThis}>
      <Confirm
        c={c}
        action={`/sites/${id}/remove`}
        ask={texts.remove}
        submit={texts.removeName(domain_name)}
        open={refused !== undefined}
      >
        <Refusal state={refused} />
        <p>{texts.removeWarning(domain_name)}</p>
        <p>{texts.filesStay(document_root)}</p>
      </Confirm>
    </Card>
  );
}

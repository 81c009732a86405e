import { endpoints } from '@innkeeper/contract';
import {
  type AppListItem,
  type DomainListItem,
  type EndUserContext,
  getHosting,
  listDomains,
  listSiteApps,
} from '@innkeeper/services';
import type { PanelContext } from '../../env.ts';
import { fieldsOf } from '../../http/form.ts';
import { leadToLastPage } from '../../http/last-page.ts';
import { customerContext } from '../../http/session.ts';
import { textsFor } from '../../language/language.ts';
import { useTexts } from '../../language/use-texts.ts';
import { page } from '../../ui/page.tsx';
import { Card, Empty, Live, Pages, Status, Table, Tag } from '../../ui/parts.tsx';
import { Room } from '../../ui/record-state.tsx';
import { isUnderWay } from '../apps/words.ts';
import { CertificateSummary } from './certificate.tsx';
import { SiteMark } from './site-mark.tsx';
import { siteTexts } from './texts/index.ts';

/** The sites of the account: each domain with its app. */
export async function sitesPage(c: PanelContext): Promise<Response> {
  const texts = textsFor(c, siteTexts);
  const ctx = customerContext(c);
  const account_id = ctx.actor.accountId;
  const wanted = fieldsOf(endpoints.listDomains.query, { page: c.req.query('page') });
  const [list, { domains: room }] = await Promise.all([
    listDomains(ctx, { ...wanted, hosting_account_id: account_id }),
    getHosting(ctx, { account_id }),
  ]);
  const redirect = leadToLastPage(c, list);
  if (redirect !== undefined) return redirect;
  const sites = await withApps(ctx, list.items);
  const path = list.page === 1 ? '/sites' : `/sites?page=${list.page}`;
  return page(
    c,
    { title: texts.sites, actions: room.used < room.limit ? <NewSite /> : undefined },
    <Card title={texts.yours}>
      <Live id="sites" busy={sites.some(isChanging)} path={path}>
        {list.total === 0 ? (
          <Empty>{texts.noneYet}</Empty>
        ) : (
          <SiteTable c={c} sites={sites} now={ctx.now()} />
        )}
        <Pages path="/sites" {...list} />
      </Live>
      <Room c={c} {...room} kinds="domains" />
    </Card>,
  );
}

/** Each domain with the app on it. */
export async function withApps(ctx: EndUserContext, domains: readonly DomainListItem[]): Promise<Site[]> {
  const apps = await listSiteApps(ctx, { domain_ids: domains.map(({ id }) => id) });
  return domains.map((domain) => ({ domain, app: apps.get(domain.id) }));
}

function NewSite() {
  const texts = useTexts(siteTexts);
  return (
    <a class="btn btn-primary" href="/sites/new">
      {texts.newSite}
    </a>
  );
}

export interface Site {
  domain: DomainListItem;
  app: AppListItem | undefined;
}

function isChanging({ domain: { status, ssl }, app }: Site): boolean {
  const isAppChanging = app !== undefined && isUnderWay(app.status);
  return status === 'pending' || status === 'removing' || ssl.status === 'pending' || isAppChanging;
}

/** The sites with their state, newest domain last. */
export function SiteTable({ c, sites, now }: { c: PanelContext; sites: readonly Site[]; now: Date }) {
  const texts = useTexts(siteTexts);
  return (
    <Table
      caption={texts.sites}
      headings={[texts.site, texts.status, texts.https]}
      rows={sites.map(({ domain: { id, domain_name, is_primary, status, ssl }, app }) => [
        <div class="site-name">
          <SiteMark c={c} app={app} />
          <span>
            <a href={`/sites/${id}`}>{domain_name}</a> {is_primary ? <Tag>{texts.primaryTag}</Tag> : null}
            <small class="muted">{app?.template_name ?? texts.emptySite}</small>
          </span>
        </div>,
        <Status status={status === 'active' && app !== undefined ? app.status : status} />,
        <CertificateSummary ssl={ssl} now={now} />,
      ])}
    />
  );
}

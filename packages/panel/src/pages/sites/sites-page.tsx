import { endpoints } from '@innkeeper/contract';
import {
  type AppListItem,
  type DomainListItem,
  getHosting,
  listDomains,
  listSiteApps,
} from '@innkeeper/services';
import type { PanelContext } from '../../env.ts';
import { fieldsOf } from '../../http/form.ts';
import { leadToLastPage } from '../../http/last-page.ts';
import { customerContext } from '../../http/session.ts';
import { page } from '../../ui/page.tsx';
import { Card, Empty, Live, Pages, Status, Table, Tag } from '../../ui/parts.tsx';
import { Room } from '../../ui/record-state.tsx';
import { isUnderWay } from '../apps/words.ts';
import { CertificateSummary } from './certificate.tsx';
import { SiteMark } from './site-mark.tsx';

/** The sites of the account: each domain with its app. */
export async function sitesPage(c: PanelContext): Promise<Response> {
  const ctx = customerContext(c);
  const account_id = ctx.actor.accountId;
  const wanted = fieldsOf(endpoints.listDomains.query, { page: c.req.query('page') });
  const [list, { domains: room }] = await Promise.all([
    listDomains(ctx, { ...wanted, hosting_account_id: account_id }),
    getHosting(ctx, { account_id }),
  ]);
  const redirect = leadToLastPage(c, list);
  if (redirect !== undefined) return redirect;
  const apps = await listSiteApps(ctx, { domain_ids: list.items.map(({ id }) => id) });
  const sites = list.items.map((domain) => ({ domain, app: apps.get(domain.id) }));
  const path = list.page === 1 ? '/sites' : `/sites?page=${list.page}`;
  return page(
    c,
    { title: 'Sites', actions: room.used < room.limit ? <NewSite /> : undefined },
    <Card title="Your sites">
      <Live id="sites" busy={sites.some(isChanging)} path={path}>
        {list.total === 0 ? (
          <Empty>There is no site yet. A site is a domain with what visitors see there.</Empty>
        ) : (
          <SiteTable c={c} sites={sites} now={ctx.now()} />
        )}
        <Pages path="/sites" {...list} />
      </Live>
      <Room {...room} kinds="domains" />
    </Card>,
  );
}

function NewSite() {
  return (
    <a class="btn btn-primary" href="/sites/new">
      New site
    </a>
  );
}

interface Site {
  domain: DomainListItem;
  app: AppListItem | undefined;
}

function isChanging({ domain: { status, ssl }, app }: Site): boolean {
  const isAppChanging = app !== undefined && isUnderWay(app.status);
  return status === 'pending' || status === 'removing' || ssl.status === 'pending' || isAppChanging;
}

function SiteTable({ c, sites, now }: { c: PanelContext; sites: readonly Site[]; now: Date }) {
  return (
    <Table
      caption="Sites"
      headings={['Site', 'Status', 'HTTPS']}
      rows={sites.map(({ domain: { id, domain_name, is_primary, status, ssl }, app }) => [
        <div class="site-name">
          <SiteMark c={c} app={app} />
          <span>
            <a href={`/sites/${id}`}>{domain_name}</a> {is_primary ? <Tag>primary</Tag> : null}
            <small class="muted">{app?.template_name ?? 'Empty PHP site'}</small>
          </span>
        </div>,
        <Status status={status === 'active' && app !== undefined ? app.status : status} />,
        <CertificateSummary ssl={ssl} now={now} />,
      ])}
    />
  );
}

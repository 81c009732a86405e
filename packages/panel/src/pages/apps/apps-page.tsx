import { endpoints } from '@innkeeper/contract';
import { type AppListItem, getHosting, listApps } from '@innkeeper/services';
import type { PanelContext } from '../../env.ts';
import { fieldsOf } from '../../http/form.ts';
import { leadToLastPage } from '../../http/last-page.ts';
import { customerContext } from '../../http/session.ts';
import { page } from '../../ui/page.tsx';
import { Ago, Card, Empty, Live, Pages, Status, Table } from '../../ui/parts.tsx';
import { Room } from '../../ui/record-state.tsx';
import { isUnderWay } from './words.ts';

/** The apps of the account. */
export async function appsPage(c: PanelContext): Promise<Response> {
  const ctx = customerContext(c);
  const account_id = ctx.actor.accountId;
  const wanted = fieldsOf(endpoints.listApps.query, { page: c.req.query('page') });
  const [list, { apps: room }] = await Promise.all([
    listApps(ctx, { ...wanted, hosting_account_id: account_id }),
    getHosting(ctx, { account_id }),
  ]);
  const redirect = leadToLastPage(c, list);
  if (redirect !== undefined) return redirect;
  const path = list.page === 1 ? '/apps' : `/apps?page=${list.page}`;
  return page(
    c,
    { title: 'Apps', actions: <InstallLink hasRoom={room.used < room.limit} /> },
    <Card title="Your apps">
      <Live id="apps" busy={list.items.some(({ status }) => isUnderWay(status))} path={path}>
        {list.total === 0 ? (
          <Empty>
            There is no app yet. An app is a program or a site that you install from a template, such as
            WordPress, or that you deploy yourself.
          </Empty>
        ) : (
          <AppTable apps={list.items} />
        )}
        <Pages path="/apps" {...list} />
      </Live>
      <Room {...room} kinds="apps" />
    </Card>,
  );
}

function InstallLink({ hasRoom }: { hasRoom: boolean }) {
  if (!hasRoom) return null;
  return (
    <a class="btn btn-primary" href="/apps/new">
      Install an app
    </a>
  );
}

function AppTable({ apps }: { apps: readonly AppListItem[] }) {
  return (
    <Table
      caption="Apps"
      headings={['Name', 'Template', 'Domain', 'Status', 'Installed']}
      rows={apps.map(({ id, name, template_name, domain, status, created_at }) => [
        <a href={`/apps/${id}`}>{name}</a>,
        template_name,
        domain === undefined ? 'none' : domain.domain_name,
        <Status status={status} />,
        <Ago at={created_at} />,
      ])}
    />
  );
}

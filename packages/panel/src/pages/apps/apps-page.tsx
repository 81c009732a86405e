import { endpoints } from '@innkeeper/contract';
import { type AppListItem, getHosting, listApps } from '@innkeeper/services';
import type { PanelContext } from '../../env.ts';
import { fieldsOf } from '../../http/form.ts';
import { leadToLastPage } from '../../http/last-page.ts';
import { customerContext } from '../../http/session.ts';
import { textsFor } from '../../language/language.ts';
import { useTexts } from '../../language/use-texts.ts';
import { page } from '../../ui/page.tsx';
import { Ago, Card, Empty, Live, Pages, Status, Table } from '../../ui/parts.tsx';
import { Room } from '../../ui/record-state.tsx';
import { appTexts } from './texts/index.ts';
import { isUnderWay } from './words.ts';

/** The apps of the account. */
export async function appsPage(c: PanelContext): Promise<Response> {
  const texts = textsFor(c, appTexts);
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
    { title: texts.apps, actions: <InstallLink hasRoom={room.used < room.limit} /> },
    <Card title={texts.yours}>
      <Live id="apps" busy={list.items.some(({ status }) => isUnderWay(status))} path={path}>
        {list.total === 0 ? <Empty>{texts.noneYet}</Empty> : <AppTable apps={list.items} />}
        <Pages path="/apps" {...list} />
      </Live>
      <Room c={c} {...room} kinds="apps" />
    </Card>,
  );
}

function InstallLink({ hasRoom }: { hasRoom: boolean }) {
  const texts = useTexts(appTexts);
  if (!hasRoom) return null;
  return (
    <a class="btn btn-primary" href="/apps/new">
      {texts.installOne}
    </a>
  );
}

function AppTable({ apps }: { apps: readonly AppListItem[] }) {
  const texts = useTexts(appTexts);
  return (
    <Table
      caption={texts.apps}
      headings={[texts.name, texts.template, texts.domain, texts.status, texts.installed]}
      rows={apps.map(({ id, name, template_name, domain, status, created_at }) => [
        <a href={`/apps/${id}`}>{name}</a>,
        template_name,
        domain === undefined ? texts.noDomain : domain.domain_name,
        <Status status={status} />,
        <Ago at={created_at} />,
      ])}
    />
  );
}

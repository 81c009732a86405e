import { endpoints } from '@innkeeper/contract';
import { DATABASE_LABEL_MAX_CHARACTERS } from '@innkeeper/domain';
import {
  type DatabaseApp,
  type DatabaseListItem,
  getHosting,
  listDatabaseApps,
  listDatabases,
} from '@innkeeper/services';
import type { PanelContext } from '../../env.ts';
import { fieldsOf, type Refused } from '../../http/form.ts';
import { leadToLastPage } from '../../http/last-page.ts';
import { customerContext } from '../../http/session.ts';
import { textsFor } from '../../language/language.ts';
import { useTexts } from '../../language/use-texts.ts';
import { type FormState, freshForm, PostForm, TextField } from '../../ui/form.tsx';
import { page } from '../../ui/page.tsx';
import { Ago, Card, Empty, Live, Pages, Status, Table } from '../../ui/parts.tsx';
import { Room } from '../../ui/record-state.tsx';
import { AppLink } from './app-link.tsx';
import { databaseTexts } from './texts/index.ts';

const underWay = new Set(['pending', 'removing']);

/** The databases of the account, and the form that adds one. */
export async function databasesPage(c: PanelContext, refused?: Refused): Promise<Response> {
  const texts = textsFor(c, databaseTexts);
  const ctx = customerContext(c);
  const account_id = ctx.actor.accountId;
  const wanted = fieldsOf(endpoints.listDatabases.query, { page: c.req.query('page') });
  const [list, { databases: room }] = await Promise.all([
    listDatabases(ctx, { ...wanted, hosting_account_id: account_id }),
    getHosting(ctx, { account_id }),
  ]);
  const redirect = leadToLastPage(c, list);
  if (redirect !== undefined) return redirect;
  const apps = await listDatabaseApps(ctx, { database_ids: list.items.map(({ id }) => id) });
  const path = list.page === 1 ? '/databases' : `/databases?page=${list.page}`;
  return page(
    c,
    { title: texts.databases, status: refused?.status ?? 200 },
    <>
      <Card title={texts.yours}>
        <Live id="databases" busy={list.items.some(({ status }) => underWay.has(status))} path={path}>
          {list.total === 0 ? (
            <Empty>{texts.noneYet}</Empty>
          ) : (
            <DatabaseTable databases={list.items} apps={apps} />
          )}
          <Pages path="/databases" {...list} />
        </Live>
      </Card>
      <Card title={texts.add}>
        <Room c={c} {...room} kinds="databases" />
        {room.used < room.limit || refused !== undefined ? (
          <AddForm c={c} state={refused ?? freshForm()} />
        ) : null}
      </Card>
    </>,
  );
}

function DatabaseTable({
  databases,
  apps,
}: {
  databases: readonly DatabaseListItem[];
  apps: Awaited<ReturnType<typeof listDatabaseApps>>;
}) {
  const texts = useTexts(databaseTexts);
  const appCell = (app: DatabaseApp | undefined) => (app === undefined ? texts.noApp : <AppLink app={app} />);
  return (
    <Table
      caption={texts.databases}
      headings={[texts.name, texts.databaseName, texts.usedBy, texts.status, texts.remoteAccess, texts.added]}
      rows={databases.map(({ id, name, db_name, status, allowed_ips, created_at }) => [
        <a href={`/databases/${id}`}>{name}</a>,
        <code>{db_name}</code>,
        appCell(apps.get(id)),
        <Status status={status} />,
        texts.addresses(allowed_ips?.length ?? 0),
        <Ago at={created_at} />,
      ])}
    />
  );
}

function AddForm({ c, state }: { c: PanelContext; state: FormState }) {
  const texts = useTexts(databaseTexts);
  return (
    <PostForm c={c} action="/databases" state={state} submit={texts.addIt}>
      <TextField
        state={state}
        name="name"
        label={texts.name}
        hint={texts.nameHint}
        attributes={{ maxlength: DATABASE_LABEL_MAX_CHARACTERS, autocomplete: 'off' }}
      />
    </PostForm>
  );
}

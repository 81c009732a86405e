import { listResellers } from '@innkeeper/services';
import type { PanelContext } from '../../env.ts';
import { operatorContext } from '../../http/session.ts';
import { textsFor } from '../../language/language.ts';
import { ActionLink } from '../../ui/form.tsx';
import { page } from '../../ui/page.tsx';
import { Card, Empty, Moment, Table, Tag, UsageBar } from '../../ui/parts.tsx';
import { resellerTexts } from './texts/index.ts';

export async function resellersPage(c: PanelContext): Promise<Response> {
  const resellers = await listResellers(operatorContext(c));
  return page(
    c,
    {
      title: 'Resellers',
      actions: (
        <ActionLink c={c} action="reseller.create" href="/resellers/new" primary>
          Add a reseller
        </ActionLink>
      ),
    },
    <Card title="All resellers">
      {resellers.length === 0 ? (
        <Empty>
          There is no reseller yet. A reseller signs in to this panel, sees only its own accounts, and creates
          accounts from a pool that you define. <a href="/resellers/new">Add the first one</a>
        </Empty>
      ) : (
        <Table
          caption="Resellers"
          headings={['Username', 'Name', 'Email', 'Accounts', 'Since']}
          rows={resellers.map((reseller) => [
            <>
              <a href={`/resellers/${reseller.username}`}>{reseller.username}</a>{' '}
              {reseller.disabled_at === null ? null : <Tag>{textsFor(c, resellerTexts).suspended}</Tag>}
            </>,
            reseller.name,
            reseller.email,
            <UsageBar label="Accounts" used={reseller.accounts} limit={reseller.max_accounts} />,
            <Moment at={reseller.created_at} />,
          ])}
        />
      )}
    </Card>,
  );
}

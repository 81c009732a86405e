import { listResellers } from '@innkeeper/services';
import type { PanelContext } from '../../env.ts';
import { operatorContext } from '../../http/session.ts';
import { textsFor } from '../../language/language.ts';
import { ActionLink } from '../../ui/form.tsx';
import { page } from '../../ui/page.tsx';
import { Card, Empty, Moment, Table, Tag, UsageBar } from '../../ui/parts.tsx';
import { resellerTexts } from './texts/index.ts';

export async function resellersPage(c: PanelContext): Promise<Response> {
  const texts = textsFor(c, resellerTexts);
  const resellers = await listResellers(operatorContext(c));
  return page(
    c,
    {
      title: texts.resellers,
      actions: (
        <ActionLink c={c} action="reseller.create" href="/resellers/new" primary>
          {texts.add}
        </ActionLink>
      ),
    },
    <Card title={texts.all}>
      {resellers.length === 0 ? (
        <Empty>
          {texts.none} <a href="/resellers/new">{texts.addFirst}</a>
        </Empty>
      ) : (
        <Table
          caption={texts.resellers}
          headings={[texts.username, texts.person, texts.email, texts.accounts, texts.since]}
          rows={resellers.map((reseller) => [
            <>
              <a href={`/resellers/${reseller.username}`}>{reseller.username}</a>{' '}
              {reseller.disabled_at === null ? null : <Tag>{texts.suspended}</Tag>}
            </>,
            reseller.name,
            reseller.email,
            <UsageBar label={texts.accounts} used={reseller.accounts} limit={reseller.max_accounts} />,
            <Moment at={reseller.created_at} />,
          ])}
        />
      )}
    </Card>,
  );
}

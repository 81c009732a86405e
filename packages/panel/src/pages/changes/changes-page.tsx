import { listBulkChanges } from '@innkeeper/services';
import type { PanelContext } from '../../env.ts';
import { operatorContext } from '../../http/session.ts';
import { textsFor } from '../../language/language.ts';
import { page } from '../../ui/page.tsx';
import { Ago, Card, Empty, Table, UsageBar } from '../../ui/parts.tsx';
import { State } from './change-page.tsx';
import { changeTexts } from './texts/index.ts';

/** The changes of many accounts of the last 30 days, newest first. */
export async function changesPage(c: PanelContext): Promise<Response> {
  const changes = await listBulkChanges(operatorContext(c));
  const texts = textsFor(c, changeTexts);
  return page(
    c,
    { title: texts.title },
    <Card title={texts.title}>
      {changes.length === 0 ? (
        <Empty>{texts.none}</Empty>
      ) : (
        <Table
          caption={texts.title}
          headings={[texts.what, texts.began, texts.by, texts.state, texts.progress]}
          rows={changes.map((change) => [
            <a href={`/changes/${change.id}`}>{texts.actions[change.action.action]}</a>,
            <Ago at={change.created_at} />,
            change.username ?? 'innctl',
            <State of={change} />,
            <UsageBar label={texts.progress} used={change.done + change.refused} limit={change.total} />,
          ])}
        />
      )}
    </Card>,
  );
}

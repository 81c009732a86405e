import { getBulkChange } from '@innkeeper/services';
import type { PanelContext } from '../../env.ts';
import { recordId } from '../../http/record-id.ts';
import { operatorContext } from '../../http/session.ts';
import { textsFor } from '../../language/language.ts';
import { useFormats, useTexts, useTranslate } from '../../language/use-texts.ts';
import { page } from '../../ui/page.tsx';
import { Badge, Card, Facts, Live, Moment, Notice, Table, UsageBar } from '../../ui/parts.tsx';
import { changeTexts } from './texts/index.ts';

type Change = Awaited<ReturnType<typeof getBulkChange>>;

/** One change of many accounts: its progress, and which accounts it could not change. */
export async function changePage(c: PanelContext): Promise<Response> {
  const change = await getBulkChange(operatorContext(c), { bulk_change_id: recordId(c) });
  const texts = textsFor(c, changeTexts);
  return page(
    c,
    { title: texts.actions[change.action.action], above: [{ name: texts.title, path: '/changes' }] },
    <Live id="change" busy={change.finished_at === null} path={`/changes/${change.id}`}>
      <Progress change={change} />
    </Live>,
  );
}

function Progress({ change }: { change: Change }) {
  const texts = useTexts(changeTexts);
  const translate = useTranslate();
  const formats = useFormats();
  const { total, done, refused, refusals, finished_at } = change;
  return (
    <Card title={texts.of(change.id)}>
      <Facts
        facts={[
          [texts.state, <State of={change} />],
          [texts.began, <Moment at={change.created_at} />],
          [texts.by, change.username ?? 'innctl'],
        ]}
      />
      <UsageBar label={texts.progress} used={done + refused} limit={total} />
      {finished_at === null ? <p class="muted">{texts.background}</p> : null}
      <Sequel change={change} />
      {refused === 0 ? null : (
        <Notice tone="warn">
          {texts.refusedCount(formats.number(refused), refused === 1)}
          {refusals.length < refused ? ` ${texts.firstOnly(formats.number(refusals.length))}` : null}
        </Notice>
      )}
      {refusals.length === 0 ? null : (
        <Table
          caption={texts.refusedCount(formats.number(refused), refused === 1)}
          headings={[texts.account, texts.reason]}
          rows={refusals.map(({ account_id, username, message }) => [
            <a href={`/accounts/${account_id}`}>{username ?? String(account_id)}</a>,
            translate(message ?? ''),
          ])}
        />
      )}
    </Card>
  );
}

/** What follows the last account: the end of its package or reseller, or why it was kept. */
function Sequel({ change: { action, finished_at, left_out } }: { change: Change }) {
  const texts = useTexts(changeTexts);
  const translate = useTranslate();
  const reseller = action.action === 'hand-over' ? action.delete_reseller?.reseller : undefined;
  const isPackage = action.action === 'change-package' && action.delete_package !== undefined;
  if (finished_at === null || (reseller === undefined && !isPackage)) return null;
  const what = reseller === undefined ? texts.thePackage : texts.theReseller(reseller);
  if (left_out === null) return <p>{texts.wasDeleted(what)}</p>;
  return (
    <Notice tone="warn">
      <p>{texts.wasKept(what, translate(left_out))}</p>
      {reseller === undefined ? null : (
        <a class="btn btn-small" href={`/resellers/${reseller}/hand-over`}>
          {texts.toReseller(reseller)}
        </a>
      )}
    </Notice>
  );
}

export function State({
  of: { finished_at, refused, left_out },
}: {
  of: Pick<Change, 'finished_at' | 'refused' | 'left_out'>;
}) {
  const texts = useTexts(changeTexts);
  if (finished_at === null) return <Badge tone="busy">{texts.running}</Badge>;
  return <Badge tone={refused === 0 && left_out === null ? 'good' : 'warn'}>{texts.finished}</Badge>;
}

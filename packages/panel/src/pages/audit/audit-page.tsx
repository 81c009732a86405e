import { listAudit } from '@innkeeper/services';
import type { PanelContext } from '../../env.ts';
import { textOf } from '../../http/form.ts';
import { rowChoices, rowsAPage } from '../../http/rows-a-page.ts';
import { operatorContext } from '../../http/session.ts';
import { textsFor } from '../../language/language.ts';
import { useTexts } from '../../language/use-texts.ts';
import { type FormState, SelectField, TextField } from '../../ui/form.tsx';
import { page } from '../../ui/page.tsx';
import { Card, Empty, RowsAPage } from '../../ui/parts.tsx';
import { filterOf, isFiltered, pathOf, readQuery } from './audit-query.ts';
import { AuditTable } from './audit-table.tsx';
import { EXPORT_PATH } from './export-audit.ts';
import { auditTexts } from './texts/index.ts';

/** A page of entries, newest first, and the form that filters them. */
export async function auditPage(c: PanelContext): Promise<Response> {
  const filter = filterOf(c);
  const ctx = operatorContext(c);
  const texts = textsFor(c, auditTexts);
  const { query, state } = await readQuery(ctx, filter, texts);
  const rows = rowsAPage(c);
  const before = c.req.query('before') ?? '';
  const before_id = /^[1-9]\d{0,14}$/.test(before) ? Number(before) : undefined;
  const { items, next_before_id } =
    query === undefined
      ? { items: [], next_before_id: null }
      : await listAudit(ctx, { ...query, before_id, limit: rows });
  return page(
    c,
    {
      title: texts.title,
      status: query === undefined ? 422 : 200,
      actions: (
        <a class="btn" href={pathOf(EXPORT_PATH, filter)} download>
          {texts.exportCsv}
        </a>
      ),
    },
    <>
      <Filters state={state} />
      <Card title={before_id === undefined ? texts.newest : texts.older}>
        {items.length === 0 ? <Nothing isFiltered={isFiltered(filter)} /> : <AuditTable items={items} />}
        {before_id === undefined && next_before_id === null ? null : (
          <nav class="pager" aria-label={texts.pages}>
            {before_id === undefined ? null : <a href={pathOf('/audit', filter)}>{texts.toNewest}</a>}
            {next_before_id === null ? null : (
              <a rel="next" href={pathOf('/audit', filter, next_before_id)}>
                {texts.toOlder}
              </a>
            )}
          </nav>
        )}
        {items.length >= rowChoices[0] || before_id !== undefined ? (
          <RowsAPage path={pathOf('/audit', filter)} rows={rows} />
        ) : null}
      </Card>
    </>,
  );
}

function Filters({ state }: { state: FormState }) {
  const texts = useTexts(auditTexts);
  const plain = { autocapitalize: 'none', spellcheck: false, autocomplete: 'off' };
  const chosen = textOf(state.values, 'action');
  const kinds = Object.entries(texts.kinds);
  // An action that somebody typed into the address stays chosen.
  const typed = chosen === '' || chosen in texts.kinds ? [] : [[chosen, chosen] as const];
  return (
    <search>
      <form method="get" action="/audit" class="toolbar">
        <TextField
          state={state}
          name="account"
          label={texts.account}
          attributes={{ ...plain, placeholder: texts.username }}
        />
        <TextField
          state={state}
          name="user"
          label={texts.person}
          attributes={{ ...plain, placeholder: texts.username }}
        />
        <SelectField
          state={state}
          name="action"
          label={texts.kind}
          options={[['', texts.allKinds], ...kinds, ...typed]}
        />
        <TextField state={state} name="since" label={texts.from} type="date" />
        <TextField state={state} name="until" label={texts.until} type="date" />
        <button type="submit" class="btn">
          {texts.show}
        </button>
        <a class="btn" href="/audit">
          {texts.clear}
        </a>
      </form>
    </search>
  );
}

function Nothing({ isFiltered }: { isFiltered: boolean }) {
  const texts = useTexts(auditTexts);
  return <Empty>{isFiltered ? texts.noMatch : texts.empty}</Empty>;
}

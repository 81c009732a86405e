import { DomainError, isStaffRole } from '@innkeeper/domain';
import {
  type AuditQuery,
  findFormerAccount,
  findUserId,
  listAccounts,
  listAudit,
  type OperatorContext,
} from '@innkeeper/services';
import type { Form, PanelContext } from '../../env.ts';
import { textOf } from '../../http/form.ts';
import { operatorContext } from '../../http/session.ts';
import { textsFor } from '../../language/language.ts';
import { useTexts } from '../../language/use-texts.ts';
import { type FormState, freshForm, SelectField, TextField } from '../../ui/form.tsx';
import { page } from '../../ui/page.tsx';
import { Card, Empty } from '../../ui/parts.tsx';
import { AuditTable } from './audit-table.tsx';
import { auditTexts } from './texts/index.ts';

type AuditTexts = typeof auditTexts.en;

const PER_PAGE = 50;
const DAY_MS = 86_400_000;
const filters = ['account', 'user', 'action', 'since', 'until'] as const;

/** A page of entries, newest first, and the form that filters them. */
export async function auditPage(c: PanelContext): Promise<Response> {
  const filter: Form = Object.fromEntries(filters.map((name) => [name, (c.req.query(name) ?? '').trim()]));
  const ctx = operatorContext(c);
  const texts = textsFor(c, auditTexts);
  const { query, state } = await readQuery(ctx, filter, texts);
  const before = c.req.query('before') ?? '';
  const before_id = /^[1-9]\d{0,14}$/.test(before) ? Number(before) : undefined;
  const { items, next_before_id } =
    query === undefined
      ? { items: [], next_before_id: null }
      : await listAudit(ctx, { ...query, before_id, limit: PER_PAGE });
  return page(
    c,
    { title: texts.title, status: query === undefined ? 422 : 200 },
    <>
      <Filters state={state} />
      <Card title={before_id === undefined ? texts.newest : texts.older}>
        {items.length === 0 ? <Nothing isFiltered={isFiltered(filter)} /> : <AuditTable items={items} />}
        {before_id === undefined && next_before_id === null ? null : (
          <nav class="pager" aria-label={texts.pages}>
            {before_id === undefined ? null : <a href={pathOf(filter)}>{texts.toNewest}</a>}
            {next_before_id === null ? null : (
              <a rel="next" href={pathOf(filter, next_before_id)}>
                {texts.toOlder}
              </a>
            )}
          </nav>
        )}
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

function isFiltered(filter: Form): boolean {
  return filters.some((name) => textOf(filter, name) !== '');
}

function pathOf(filter: Form, before?: number): string {
  const query = new URLSearchParams();
  for (const name of filters) if (textOf(filter, name) !== '') query.set(name, textOf(filter, name));
  if (before !== undefined) query.set('before', String(before));
  return query.size === 0 ? '/audit' : `/audit?${query}`;
}

type Filter = Omit<AuditQuery, 'limit' | 'before_id'>;

/** Converts the filters to IDs and times. For invalid filters it returns no query, and errors at their fields. */
async function readQuery(
  ctx: OperatorContext,
  filter: Form,
  texts: AuditTexts,
): Promise<{ query: Filter | undefined; state: FormState }> {
  const errors: Record<string, string[]> = {};
  const read = async <Value,>(field: string, find: (text: string) => Value | Promise<Value>) => {
    const text = textOf(filter, field);
    if (text === '') return undefined;
    try {
      return await find(text);
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      errors[field] = [error.message];
      return undefined;
    }
  };
  const query: Filter = {
    account_id: await read('account', (name) => accountNamed(ctx, name, texts)),
    user_id: await read('user', (name) => userNamed(ctx, name, texts)),
    action: await read('action', (text) => actionOf(text, texts)),
    since: await read('since', (text) => dayOf(text, texts)),
    until: await read('until', (text) => new Date(dayOf(text, texts).getTime() + DAY_MS)),
  };
  const state = { ...freshForm(filter), errors };
  return { query: Object.keys(errors).length === 0 ? query : undefined, state };
}

const ID = /^\d{1,15}$/;

async function accountNamed(ctx: OperatorContext, name: string, texts: AuditTexts): Promise<number> {
  const { items } = await listAccounts(ctx, { username: name, page: 1, per_page: 1 });
  if (items[0] !== undefined) return items[0].id;
  if (ID.test(name)) return Number(name);
  const former = await formerAccount(ctx, name);
  if (former !== undefined) return former.id;
  throw new DomainError('not_found', texts.noAccount);
}

async function userNamed(ctx: OperatorContext, name: string, texts: AuditTexts): Promise<number> {
  const id = await findUserId(ctx, { username: name });
  if (id !== undefined) return id;
  if (ID.test(name)) return Number(name);
  const former = await formerAccount(ctx, name);
  if (former !== undefined && former.user_id !== null) return former.user_id;
  throw new DomainError('not_found', texts.noUser);
}

async function formerAccount(ctx: OperatorContext, username: string) {
  return isStaffRole(ctx.actor.role) ? await findFormerAccount(ctx, { username }) : undefined;
}

function actionOf(text: string, texts: AuditTexts): string {
  if (/^[a-z._-]{1,64}$/.test(text)) return text;
  throw new DomainError('invalid', texts.wrongAction);
}

function dayOf(text: string, texts: AuditTexts): Date {
  const day = new Date(`${text}T00:00:00Z`);
  if (/^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(day.getTime())) return day;
  throw new DomainError('invalid', texts.wrongDay);
}

import { DomainError } from '@innkeeper/domain';
import {
  type AuditQuery,
  findUserId,
  listAccounts,
  listAudit,
  type OperatorContext,
} from '@innkeeper/services';
import type { Form, PanelContext } from '../../env.ts';
import { textOf } from '../../http/form.ts';
import { operatorContext } from '../../http/session.ts';
import { type FormState, freshForm, TextField } from '../../ui/form.tsx';
import { page } from '../../ui/page.tsx';
import { Card, Empty } from '../../ui/parts.tsx';
import { AuditTable } from './audit-table.tsx';

const PER_PAGE = 50;
const filters = ['account', 'user', 'action', 'since'] as const;

/** A page of entries, newest first, and the form that filters them. */
export async function auditPage(c: PanelContext): Promise<Response> {
  const filter: Form = Object.fromEntries(filters.map((name) => [name, (c.req.query(name) ?? '').trim()]));
  const ctx = operatorContext(c);
  const { query, state } = await readQuery(ctx, filter);
  const before = c.req.query('before') ?? '';
  const before_id = /^[1-9]\d{0,14}$/.test(before) ? Number(before) : undefined;
  const { items, next_before_id } =
    query === undefined
      ? { items: [], next_before_id: null }
      : await listAudit(ctx, { ...query, before_id, limit: PER_PAGE });
  return page(
    c,
    { title: 'Audit log', status: query === undefined ? 422 : 200 },
    <>
      <Filters state={state} />
      <Card title={before_id === undefined ? 'Newest first' : 'Older entries'}>
        {items.length === 0 ? <Nothing isFiltered={isFiltered(filter)} /> : <AuditTable items={items} />}
        {before_id === undefined && next_before_id === null ? null : (
          <nav class="pager" aria-label="Pages">
            {before_id === undefined ? null : <a href={pathOf(filter)}>Newest</a>}
            {next_before_id === null ? null : (
              <a rel="next" href={pathOf(filter, next_before_id)}>
                Older
              </a>
            )}
          </nav>
        )}
      </Card>
    </>,
  );
}

function Filters({ state }: { state: FormState }) {
  const plain = { autocapitalize: 'none', spellcheck: false, autocomplete: 'off' };
  return (
    <search>
      <form method="get" action="/audit" class="toolbar">
        <TextField
          state={state}
          name="account"
          label="Account"
          attributes={{ ...plain, placeholder: 'username' }}
        />
        <TextField
          state={state}
          name="user"
          label="User"
          attributes={{ ...plain, placeholder: 'username' }}
        />
        <TextField
          state={state}
          name="action"
          label="Action"
          attributes={{ ...plain, placeholder: 'account. or account.suspend' }}
        />
        <TextField state={state} name="since" label="Since (UTC)" type="date" />
        <button type="submit" class="btn">
          Show
        </button>
        <a class="btn" href="/audit">
          Clear
        </a>
      </form>
    </search>
  );
}

function Nothing({ isFiltered }: { isFiltered: boolean }) {
  return (
    <Empty>
      {isFiltered
        ? 'No entry matches. Remove a filter to see more entries.'
        : 'No entries yet. The log records every change to accounts, packages and servers, with the user who made it.'}
    </Empty>
  );
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
    account_id: await read('account', (name) => accountNamed(ctx, name)),
    user_id: await read('user', (name) => userNamed(ctx, name)),
    action: await read('action', actionOf),
    since: await read('since', dayOf),
  };
  const state = { ...freshForm(filter), errors };
  return { query: Object.keys(errors).length === 0 ? query : undefined, state };
}

const ID = /^\d{1,15}$/;

async function accountNamed(ctx: OperatorContext, name: string): Promise<number> {
  const { items } = await listAccounts(ctx, { username: name, page: 1, per_page: 1 });
  if (items[0] !== undefined) return items[0].id;
  if (ID.test(name)) return Number(name);
  throw new DomainError(
    'not_found',
    'There is no account with this name. For a removed account enter its ID: its other entries show it.',
  );
}

async function userNamed(ctx: OperatorContext, name: string): Promise<number> {
  const id = await findUserId(ctx, { username: name });
  if (id !== undefined) return id;
  if (ID.test(name)) return Number(name);
  throw new DomainError('not_found', 'There is no user with this name.');
}

function actionOf(text: string): string {
  if (/^[a-z._-]{1,64}$/.test(text)) return text;
  throw new DomainError(
    'invalid',
    'Enter an action or its beginning in lowercase letters, such as account.suspend.',
  );
}

function dayOf(text: string): Date {
  const day = new Date(`${text}T00:00:00Z`);
  if (/^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(day.getTime())) return day;
  throw new DomainError('invalid', 'Enter a date such as 2026-11-21.');
}

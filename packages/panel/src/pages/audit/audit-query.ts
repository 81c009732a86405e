import { DomainError, isStaffRole } from '@innkeeper/domain';
import {
  type AuditQuery,
  findFormerAccount,
  findUserId,
  listAccounts,
  type OperatorContext,
} from '@innkeeper/services';
import type { Form, PanelContext } from '../../env.ts';
import { textOf } from '../../http/form.ts';
import { type FormState, freshForm } from '../../ui/form.tsx';
import type { auditTexts } from './texts/index.ts';

type AuditTexts = typeof auditTexts.en;

const DAY_MS = 86_400_000;
const filters = ['account', 'user', 'action', 'since', 'until'] as const;

/** The filters in the query of the request, as typed. */
export function filterOf(c: PanelContext): Form {
  return Object.fromEntries(filters.map((name) => [name, (c.req.query(name) ?? '').trim()]));
}

export function isFiltered(filter: Form): boolean {
  return filters.some((name) => textOf(filter, name) !== '');
}

/** A path with the filters. `before`: the id of the entry before which the page begins. */
export function pathOf(path: string, filter: Form, before?: number): string {
  const query = new URLSearchParams();
  for (const name of filters) if (textOf(filter, name) !== '') query.set(name, textOf(filter, name));
  if (before !== undefined) query.set('before', String(before));
  return query.size === 0 ? path : `${path}?${query}`;
}

type Filter = Omit<AuditQuery, 'limit' | 'before_id'>;

/** Converts the filters to IDs and times. For invalid filters it returns no query, and errors at their fields. */
export async function readQuery(
  ctx: OperatorContext,
  filter: Form,
  texts: AuditTexts,
): Promise<{ query: Filter | undefined; state: FormState }> {
  const errors: Record<string, string[]> = {};
  const read = async <Value>(field: string, find: (text: string) => Value | Promise<Value>) => {
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

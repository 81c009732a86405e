import { accountOrders, accountStates } from '@innkeeper/domain';
import type { AccountSearch } from '@innkeeper/services';
import type { Form, PanelContext } from '../../env.ts';
import { textOf } from '../../http/form.ts';
import { rowsAPage } from '../../http/rows-a-page.ts';

/** What selects the accounts of the list. Empty: anything. */
export interface AccountFilters {
  q: string;
  status: string;
  package: string;
  node: string;
  reseller: string;
}

/** The query parameters of the page. */
export interface AccountsQuery extends AccountFilters {
  /** Empty: oldest first. */
  sort: string;
  /** Whether all filters are shown, not only the usual ones. */
  more: boolean;
  page: number;
  rows: number;
}

const filterNames = [
  'q',
  'status',
  'package',
  'node',
  'reseller',
] as const satisfies (keyof AccountFilters)[];

export function readQuery(c: PanelContext): AccountsQuery {
  const text = (name: string) => (c.req.query(name) ?? '').trim().slice(0, 255);
  const number = text('page');
  return {
    ...filtersIn(c.req.query()),
    sort: text('sort'),
    more: text('more') === '1',
    page: /^[1-9]\d{0,5}$/.test(number) ? Number(number) : 1,
    rows: rowsAPage(c),
  };
}

/** The filters that are set. */
export function filtersOf(filters: AccountFilters): Partial<AccountFilters> {
  return Object.fromEntries(
    filterNames.map((name) => [name, filters[name]]).filter(([, value]) => value !== ''),
  );
}

/** The filters in fields, which have the names of the query parameters. */
export function filtersIn(form: Form): AccountFilters {
  const read = (name: string) => textOf(form, name).slice(0, 255);
  return {
    q: read('q'),
    status: read('status'),
    package: read('package'),
    node: read('node'),
    reseller: read('reseller'),
  };
}

/** Undefined if a filter has an invalid value. */
export function searchOf({
  q,
  status,
  sort,
  page: number,
  rows,
  ...filters
}: AccountsQuery): AccountSearch | undefined {
  const state = accountStates.find((one) => one === status);
  if (status !== '' && state === undefined) return undefined;
  const order = accountOrders.find((one) => one === (sort === '' ? 'oldest' : sort));
  if (order === undefined) return undefined;
  const ids = [filters.package, filters.node, filters.reseller].filter((id) => id !== '' && id !== 'none');
  if (!ids.every((id) => /^\d{1,15}$/.test(id))) return undefined;
  const id = (text: string) => (text === '' ? undefined : Number(text));
  return {
    text: q,
    order,
    state,
    package_id: id(filters.package),
    node_id: id(filters.node),
    reseller_user_id: filters.reseller === 'none' ? null : id(filters.reseller),
    page: number,
    per_page: rows,
  };
}

/** Path of a page of the list, or of another path with the same filters. */
export function withQuery(
  { more, page: number, rows: _, ...filters }: AccountsQuery,
  path = '/accounts',
): string {
  const query = new URLSearchParams(Object.entries(filters).filter(([, value]) => value !== ''));
  if (more) query.set('more', '1');
  if (number > 1) query.set('page', String(number));
  return query.size === 0 ? path : `${path}?${query}`;
}

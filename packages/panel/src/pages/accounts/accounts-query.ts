import { accountOrders, accountStates } from '@innkeeper/domain';
import type { AccountSearch } from '@innkeeper/services';
import type { PanelContext } from '../../env.ts';

export const PER_PAGE = 50;

/** The query parameters of the page. */
export interface AccountsQuery {
  q: string;
  status: string;
  package: string;
  node: string;
  reseller: string;
  /** Empty: oldest first. */
  sort: string;
  /** Whether all filters are shown, not only the usual ones. */
  more: boolean;
  page: number;
}

export function readQuery(c: PanelContext): AccountsQuery {
  const text = (name: string) => (c.req.query(name) ?? '').trim().slice(0, 255);
  const number = text('page');
  return {
    q: text('q'),
    status: text('status'),
    package: text('package'),
    node: text('node'),
    reseller: text('reseller'),
    sort: text('sort'),
    more: text('more') === '1',
    page: /^[1-9]\d{0,5}$/.test(number) ? Number(number) : 1,
  };
}

/** Undefined if a filter has an invalid value. */
export function searchOf({
  q,
  status,
  sort,
  page: number,
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
    per_page: PER_PAGE,
  };
}

/** Path of a page of the list, or of another path with the same filters. */
export function withQuery({ more, page: number, ...filters }: AccountsQuery, path = '/accounts'): string {
  const query = new URLSearchParams(Object.entries(filters).filter(([, value]) => value !== ''));
  if (more) query.set('more', '1');
  if (number > 1) query.set('page', String(number));
  return query.size === 0 ? path : `${path}?${query}`;
}

import { accountStates, isStaffRole } from '@innkeeper/domain';
import {
  type AccountListItem,
  listAccounts,
  listNodeNames,
  listPackages,
  listProblems,
  listResellers,
  type OperatorContext,
  searchAccounts,
} from '@innkeeper/services';
import type { PanelContext } from '../../env.ts';
import { leadToLastPage } from '../../http/last-page.ts';
import { goTo } from '../../http/redirect.ts';
import { operatorContext } from '../../http/session.ts';
import { countText } from '../../ui/attention.tsx';
import { ActionLink, freshForm, SelectField, TextField } from '../../ui/form.tsx';
import { numberText } from '../../ui/numbers.ts';
import { page } from '../../ui/page.tsx';
import { Badge, Card, Empty, Moment, Pages, Status, Table } from '../../ui/parts.tsx';
import { type AccountsQuery, PER_PAGE, readQuery, searchOf, withQuery } from './accounts-query.ts';
import { EXPORT_PATH } from './export-accounts.ts';

/** All accounts that the operator can see with their total, or the results of a search. */
export async function accountsPage(c: PanelContext): Promise<Response> {
  const ctx = operatorContext(c);
  const query = readQuery(c);
  const { q, sort, more, page: number, ...filters } = query;
  const isSearch = q !== '' || Object.values(filters).some((value) => value !== '');
  const [list, options] = await Promise.all([
    isSearch || sort !== '' ? searchResults(ctx, query) : everyAccount(ctx, number),
    more || filters.package + filters.node + filters.reseller !== '' ? optionsFor(ctx) : undefined,
  ]);
  const redirect =
    list.total === undefined
      ? leadToFirstPage(c, query, list)
      : leadToLastPage(c, { page: number, per_page: PER_PAGE, total: list.total });
  if (redirect !== undefined) return redirect;
  const problems = await listProblems(ctx, { account_ids: list.items.map(({ id }) => id) });
  return page(
    c,
    {
      title: 'Accounts',
      actions: (
        <>
          <a class="btn" href={withQuery({ ...query, page: 1 }, EXPORT_PATH)} download>
            Export as CSV
          </a>
          <ActionLink c={c} action="account.create" href="/accounts/new" primary>
            Create an account
          </ActionLink>
        </>
      ),
    },
    <>
      <Filters query={query} options={options} />
      <Card title={titleOf(isSearch, list.total)}>
        {list.items.length === 0 ? (
          <Nothing isSearch={isSearch} />
        ) : (
          <Accounts items={list.items} problems={problems} isAdmin={isStaffRole(ctx.actor.role)} />
        )}
        {list.total === undefined ? (
          <MorePages query={query} hasMore={list.hasMore} />
        ) : (
          <Pages path="/accounts" page={number} per_page={PER_PAGE} total={list.total} />
        )}
      </Card>
    </>,
  );
}

function titleOf(isSearch: boolean, total: number | undefined): string {
  if (isSearch) return 'Search results';
  return total === undefined ? 'All accounts' : `Total: ${numberText(total)}`;
}

/** Results without a total have no known last page. */
function leadToFirstPage(c: PanelContext, query: AccountsQuery, { items }: List): Response | undefined {
  return items.length === 0 && query.page > 1 ? goTo(c, withQuery({ ...query, page: 1 })) : undefined;
}

interface List {
  items: AccountListItem[];
  /** Undefined: not counted. */
  total?: number;
  hasMore: boolean;
}

async function everyAccount(ctx: OperatorContext, number: number): Promise<List> {
  const { items, total } = await listAccounts(ctx, { page: number, per_page: PER_PAGE });
  return { items, total, hasMore: false };
}

async function searchResults(ctx: OperatorContext, query: AccountsQuery): Promise<List> {
  const search = searchOf(query);
  if (search === undefined) return { items: [], hasMore: false };
  const { items, has_more } = await searchAccounts(ctx, search);
  return { items, hasMore: has_more };
}

interface FilterOptions {
  packages: { id: number; name: string }[];
  /** For admins. */
  nodes?: { id: number; name: string }[];
  resellers?: { id: number; username: string }[];
}

async function optionsFor(ctx: OperatorContext): Promise<FilterOptions> {
  if (!isStaffRole(ctx.actor.role)) return { packages: await listPackages(ctx) };
  const [packages, nodes, resellers] = await Promise.all([
    listPackages(ctx),
    listNodeNames(ctx),
    listResellers(ctx),
  ]);
  return { packages, nodes, resellers };
}

const states: readonly (readonly [string, string])[] = [
  ['', 'Any'],
  ...accountStates.map((state) => [state, state] as const),
];

const orders: readonly (readonly [string, string])[] = [
  ['', 'Oldest first'],
  ['newest', 'Newest first'],
  ['username', 'Username'],
];

function Filters({ query, options }: { query: AccountsQuery; options: FilterOptions | undefined }) {
  const state = freshForm({ ...query });
  const choices = (list: readonly { id: number; name: string }[]) => [
    ['', 'Any'] as const,
    ...list.map(({ id, name }) => [String(id), name] as const),
  ];
  return (
    <search>
      <form method="get" action="/accounts" class="toolbar">
        <TextField
          state={state}
          name="q"
          label="Find"
          type="search"
          attributes={{ placeholder: 'start of a username, email address or domain', autocapitalize: 'none' }}
        />
        <SelectField state={state} name="status" label="Status" options={states} />
        <SelectField state={state} name="sort" label="Order" options={orders} />
        {options === undefined ? null : (
          <>
            <SelectField state={state} name="package" label="Package" options={choices(options.packages)} />
            {options.nodes === undefined ? null : (
              <SelectField state={state} name="node" label="Server" options={choices(options.nodes)} />
            )}
            {options.resellers === undefined ? null : (
              <SelectField
                state={state}
                name="reseller"
                label="Reseller"
                options={[
                  ['', 'Any'],
                  ['none', 'No reseller'],
                  ...options.resellers.map(({ id, username }) => [String(id), username] as const),
                ]}
              />
            )}
            <input type="hidden" name="more" value="1" />
          </>
        )}
        <button type="submit" class="btn">
          Search
        </button>
        {options === undefined ? (
          <a class="btn" href={withQuery({ ...query, more: true, page: 1 })}>
            More filters
          </a>
        ) : (
          <a class="btn" href="/accounts">
            Clear
          </a>
        )}
      </form>
    </search>
  );
}

function Nothing({ isSearch }: { isSearch: boolean }) {
  return isSearch ? (
    <Empty>
      No account matches. The search compares the beginning of usernames, email addresses and domain names.{' '}
      <a href="/accounts">Show all accounts</a>
    </Empty>
  ) : (
    <Empty>
      There is no account yet. An account is one customer with its own home folder, domains, apps and
      databases. <a href="/accounts/new">Create the first one</a>
    </Empty>
  );
}

interface AccountsProps {
  items: readonly AccountListItem[];
  /** Of the accounts that have any. */
  problems: ReadonlyMap<number, readonly unknown[]>;
  isAdmin: boolean;
}

function Accounts({ items, problems, isAdmin }: AccountsProps) {
  return (
    <Table
      caption="Accounts"
      headings={[
        'Username',
        'Status',
        'Problems',
        'Email',
        'Domain',
        'Package',
        ...(isAdmin ? ['Server'] : []),
        'Created',
      ]}
      rows={items.map((item) => [
        <a href={`/accounts/${item.id}`}>{item.username}</a>,
        <Status status={item.status} />,
        <Problems id={item.id} count={problems.get(item.id)?.length ?? 0} />,
        item.email,
        item.primary_domain ?? <span class="muted">none</span>,
        item.package.name,
        ...(isAdmin ? [item.node?.name ?? ''] : []),
        <Moment at={item.created_at} />,
      ])}
    />
  );
}

/** The number of things that need attention, with the way to them. */
function Problems({ id, count }: { id: number; count: number }) {
  if (count === 0) return <span class="muted">none</span>;
  return (
    <a href={`/accounts/${id}`} aria-label={countText(count)}>
      <Badge tone="bad">{count}</Badge>
    </a>
  );
}

/** Pagination of a list without a total. */
function MorePages({ query, hasMore }: { query: AccountsQuery; hasMore: boolean }) {
  if (query.q !== '')
    return hasMore ? <p class="muted">There are more results. Enter a longer search text.</p> : null;
  if (query.page === 1 && !hasMore) return null;
  return (
    <nav class="pager" aria-label="Pages">
      {query.page > 1 ? (
        <a rel="prev" href={withQuery({ ...query, page: query.page - 1 })}>
          Previous
        </a>
      ) : null}
      <span>{`Page ${numberText(query.page)}`}</span>
      {hasMore ? (
        <a rel="next" href={withQuery({ ...query, page: query.page + 1 })}>
          Next
        </a>
      ) : null}
    </nav>
  );
}

import { accountStates, isStaffRole } from '@innkeeper/domain';
import {
  type AccountListItem,
  listAccounts,
  listNodeNames,
  listPackages,
  listProblems,
  listResellers,
  listStoredUsage,
  type OperatorContext,
  searchAccounts,
} from '@innkeeper/services';
import type { PanelContext } from '../../env.ts';
import { leadToLastPage } from '../../http/last-page.ts';
import { goTo } from '../../http/redirect.ts';
import { rowChoices } from '../../http/rows-a-page.ts';
import { operatorContext } from '../../http/session.ts';
import { formats } from '../../language/formats.ts';
import { languageOf, textsFor } from '../../language/language.ts';
import { useFormats, useTexts } from '../../language/use-texts.ts';
import { ActionLink, freshForm, SelectField, TextField } from '../../ui/form.tsx';
import { page } from '../../ui/page.tsx';
import { Card, Empty, Pages, RowsAPage } from '../../ui/parts.tsx';
import { uiTexts } from '../../ui/texts/index.ts';
import { type AccountsQuery, readQuery, searchOf, withQuery } from './accounts-query.ts';
import { AccountsTable } from './accounts-table.tsx';
import { EXPORT_PATH } from './export-accounts.ts';
import { accountTexts } from './texts/index.ts';

/** All accounts that the operator can see with their total, or the results of a search. */
export async function accountsPage(c: PanelContext): Promise<Response> {
  const ctx = operatorContext(c);
  const query = readQuery(c);
  const { q, sort, more, page: number, rows, ...filters } = query;
  const isSearch = q !== '' || Object.values(filters).some((value) => value !== '');
  const [list, options] = await Promise.all([
    isSearch || sort !== '' ? searchResults(ctx, query) : everyAccount(ctx, { page: number, per_page: rows }),
    more || filters.package + filters.node + filters.reseller !== '' ? optionsFor(ctx) : undefined,
  ]);
  const redirect =
    list.total === undefined
      ? leadToFirstPage(c, query, list)
      : leadToLastPage(c, { page: number, per_page: rows, total: list.total });
  if (redirect !== undefined) return redirect;
  const account_ids = list.items.map(({ id }) => id);
  const [problems, usage] = await Promise.all([
    listProblems(ctx, { account_ids }),
    listStoredUsage(ctx, { account_ids }),
  ]);
  const texts = textsFor(c, accountTexts);
  const total = list.total === undefined ? undefined : formats[languageOf(c)].number(list.total);
  const found = number === 1 && !list.hasMore ? list.items.length : undefined;
  return page(
    c,
    {
      title: texts.accounts,
      actions: (
        <>
          <a class="btn" href={withQuery({ ...query, page: 1 }, EXPORT_PATH)} download>
            {texts.exportCsv}
          </a>
          <ActionLink c={c} action="account.create" href="/accounts/new" primary>
            {texts.create}
          </ActionLink>
        </>
      ),
    },
    <>
      <Filters query={query} options={options} />
      <Card title={titleOf(texts, isSearch, total, found)}>
        {list.items.length === 0 ? (
          <Nothing isSearch={isSearch} />
        ) : (
          <AccountsTable
            c={c}
            query={query}
            items={list.items}
            problems={problems}
            usage={usage}
            all={isSearch ? texts.allThatMatch : texts.allAccounts(total)}
          />
        )}
        {list.total === undefined ? (
          <MorePages query={query} hasMore={list.hasMore} />
        ) : (
          <Pages path="/accounts" page={number} per_page={rows} total={list.total} />
        )}
        {q === '' && (list.items.length >= rowChoices[0] || number > 1) ? (
          <RowsAPage path={withQuery({ ...query, page: 1 })} rows={rows} total={list.total} />
        ) : null}
      </Card>
    </>,
  );
}

/** `found`: the number of results. Undefined: there are more than this page shows. */
function titleOf(
  texts: typeof accountTexts.en,
  isSearch: boolean,
  total: string | undefined,
  found: number | undefined,
): string {
  if (isSearch) return found === undefined ? texts.results : texts.resultCount(found);
  return total === undefined ? texts.allAccounts(undefined) : texts.total(total);
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

async function everyAccount(
  ctx: OperatorContext,
  request: { page: number; per_page: number },
): Promise<List> {
  const { items, total } = await listAccounts(ctx, request);
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

function Filters({ query, options }: { query: AccountsQuery; options: FilterOptions | undefined }) {
  const texts = useTexts(accountTexts);
  const { statuses } = useTexts(uiTexts);
  const state = freshForm({ ...query });
  const choices = (list: readonly { id: number; name: string }[]) => [
    ['', texts.any] as const,
    ...list.map(({ id, name }) => [String(id), name] as const),
  ];
  return (
    <search>
      <form method="get" action="/accounts" class="toolbar">
        <TextField
          state={state}
          name="q"
          label={texts.find}
          type="search"
          attributes={{ placeholder: texts.findHint, autocapitalize: 'none' }}
        />
        <SelectField
          state={state}
          name="status"
          label={texts.status}
          options={[['', texts.any], ...accountStates.map((one) => [one, statuses[one]] as const)]}
        />
        <SelectField
          state={state}
          name="sort"
          label={texts.order}
          options={[
            ['', texts.orders.oldest],
            ['newest', texts.orders.newest],
            ['username', texts.orders.username],
          ]}
        />
        {options === undefined ? null : (
          <>
            <SelectField
              state={state}
              name="package"
              label={texts.package}
              options={choices(options.packages)}
            />
            {options.nodes === undefined ? null : (
              <SelectField state={state} name="node" label={texts.server} options={choices(options.nodes)} />
            )}
            {options.resellers === undefined ? null : (
              <SelectField
                state={state}
                name="reseller"
                label={texts.reseller}
                options={[
                  ['', texts.any],
                  ['none', texts.noReseller],
                  ...options.resellers.map(({ id, username }) => [String(id), username] as const),
                ]}
              />
            )}
            <input type="hidden" name="more" value="1" />
          </>
        )}
        <button type="submit" class="btn">
          {texts.search}
        </button>
        {options === undefined ? (
          <a class="btn" href={withQuery({ ...query, more: true, page: 1 })}>
            {texts.moreFilters}
          </a>
        ) : (
          <a class="btn" href="/accounts">
            {texts.clear}
          </a>
        )}
      </form>
    </search>
  );
}

function Nothing({ isSearch }: { isSearch: boolean }) {
  const texts = useTexts(accountTexts);
  return isSearch ? (
    <Empty>
      {texts.noMatch} <a href="/accounts">{texts.showAll}</a>
    </Empty>
  ) : (
    <Empty>
      {texts.noneYet} <a href="/accounts/new">{texts.createFirst}</a>
    </Empty>
  );
}

/** Pagination of a list without a total. */
function MorePages({ query, hasMore }: { query: AccountsQuery; hasMore: boolean }) {
  const texts = useTexts(accountTexts);
  const words = useTexts(uiTexts);
  const formats = useFormats();
  if (query.q !== '') return hasMore ? <p class="muted">{texts.moreResults}</p> : null;
  if (query.page === 1 && !hasMore) return null;
  return (
    <nav class="pager" aria-label={words.pages}>
      {query.page > 1 ? (
        <a rel="prev" href={withQuery({ ...query, page: query.page - 1 })}>
          {words.previous}
        </a>
      ) : null}
      <span>{texts.pageNumber(formats.number(query.page))}</span>
      {hasMore ? (
        <a rel="next" href={withQuery({ ...query, page: query.page + 1 })}>
          {words.next}
        </a>
      ) : null}
    </nav>
  );
}

import { type Action, isStaffRole } from '@innkeeper/domain';
import type { AccountListItem, listStoredUsage } from '@innkeeper/services';
import type { Child } from 'hono/jsx';
import type { PanelContext } from '../../env.ts';
import { mayDo, operatorContext } from '../../http/session.ts';
import { useFormats, useTexts } from '../../language/use-texts.ts';
import { countText } from '../../ui/attention.tsx';
import { CsrfField } from '../../ui/form.tsx';
import { Icon, type IconName } from '../../ui/icon.tsx';
import { Ago, Badge, Status, UsageBar } from '../../ui/parts.tsx';
import { type AccountsQuery, filtersOf } from './accounts-query.ts';
import { type ManyKind, manyKinds, manyPath } from './many-kinds.ts';
import { accountTexts } from './texts/index.ts';

/** The form of the buttons in row menus: a form cannot contain another one. */
const ROW_FORM = 'row';

type Usage = NonNullable<ReturnType<Awaited<ReturnType<typeof listStoredUsage>>['get']>>;

interface AccountsProps {
  c: PanelContext;
  query: AccountsQuery;
  items: readonly AccountListItem[];
  /** Of the accounts that have any. */
  problems: ReadonlyMap<number, readonly unknown[]>;
  /** The last measured usage, of accounts that have any. */
  usage: ReadonlyMap<number, Usage>;
  /** Text of the choice of every account that matches the filter. */
  all: string;
}

/**
 * The accounts of a page, each with a menu and a checkbox. The bar with the changes of several accounts appears as soon as
 * one is checked; its buttons open a page that asks before anything changes.
 */
export function AccountsTable({ c, query, items, problems, usage, all }: AccountsProps) {
  const texts = useTexts(accountTexts);
  const showsServer = isStaffRole(operatorContext(c).actor.role);
  const kinds = manyKinds.filter(({ action }) => mayDo(c, action));
  return (
    <>
      <form method="post" action="/accounts" id={ROW_FORM}>
        <CsrfField c={c} />
      </form>
      <form method="get" action="/accounts">
        {Object.entries(filtersOf(query)).map(([name, value]) => (
          <input type="hidden" name={name} value={value} />
        ))}
        {kinds.length === 0 ? null : <BulkBar kinds={kinds.map(({ kind }) => kind)} all={all} />}
        <table class="table accounts">
          <caption class="sr">{texts.accounts}</caption>
          <thead>
            <tr>
              {kinds.length === 0 ? null : (
                <th scope="col" class="t-check">
                  <span class="sr">{texts.select}</span>
                  <input type="checkbox" data-checks="ids" aria-label={texts.selectPage} hidden />
                </th>
              )}
              <th scope="col">{texts.account}</th>
              <th scope="col">{texts.status}</th>
              <th scope="col">{texts.package}</th>
              {showsServer ? (
                <th scope="col" class="t-lg">
                  {texts.server}
                </th>
              ) : null}
              <th scope="col" class="t-lg">
                {texts.disk}
              </th>
              <th scope="col" class="t-lg t-num">
                {texts.traffic}
              </th>
              <th scope="col" class="t-lg">
                {texts.created}
              </th>
              <th scope="col">
                <span class="sr">{texts.actions}</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {items.map((item) => (
              <tr>
                {kinds.length === 0 ? null : (
                  <td class="t-check">
                    <input
                      type="checkbox"
                      name="ids"
                      value={String(item.id)}
                      aria-label={texts.selectOne(item.username)}
                      autocomplete="off"
                    />
                  </td>
                )}
                <th scope="row" class="t-main">
                  <Who item={item} />
                </th>
                <td>
                  <StateOf item={item} problems={problems.get(item.id)?.length ?? 0} />
                </td>
                <td data-label={texts.package}>{item.package.name}</td>
                {showsServer ? (
                  <td class="t-lg" data-label={texts.server}>
                    {item.node?.name ?? ''}
                  </td>
                ) : null}
                <UsageCells usage={usage.get(item.id)} />
                <td class="t-lg" data-label={texts.created}>
                  <Ago at={item.created_at} />
                </td>
                <td class="t-act">
                  <RowMenu c={c} item={item} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </form>
    </>
  );
}

/** The account by its site, with username and email address below. Long ones are cut; the title has them. */
function Who({ item: { id, username, email, primary_domain } }: { item: AccountListItem }) {
  const below = primary_domain === null ? email : `${username} · ${email}`;
  return (
    <div class="who">
      <span class="avatar" aria-hidden="true">
        {username.slice(0, 2).toUpperCase()}
      </span>
      <a href={`/accounts/${id}`} class="cut" title={primary_domain ?? username}>
        {primary_domain ?? username}
      </a>
      <small class="cut" title={below}>
        {below}
      </small>
    </div>
  );
}

/** Disk space of its limit, and traffic of this month. Empty before the first measurement. */
function UsageCells({ usage }: { usage: Usage | undefined }) {
  const texts = useTexts(accountTexts);
  const { size } = useFormats();
  return (
    <>
      <td class="t-lg" data-label={texts.disk}>
        {usage === undefined ? null : (
          <UsageBar
            label={texts.disk}
            used={usage.disk_used_mb}
            limit={usage.disk_limit_mb}
            unit=" MiB"
            isLabelled
          />
        )}
      </td>
      <td class="t-lg t-num" data-label={texts.traffic}>
        {usage === undefined ? '' : size(usage.bandwidth_used_mb)}
      </td>
    </>
  );
}

function BulkBar({ kinds, all }: { kinds: readonly ManyKind[]; all: string }) {
  const texts = useTexts(accountTexts);
  return (
    <div class="bulk">
      <span class="check">
        <input type="checkbox" id="all" name="all" value="1" autocomplete="off" />
        <label for="all">{all}</label>
      </span>
      {kinds.map((kind) => (
        <button type="submit" class="btn btn-small" formaction={manyPath(kind)}>
          {texts.many[kind].button}
        </button>
      ))}
    </div>
  );
}

/** The state of the account, or the number of things that need attention with the way to them. */
function StateOf({ item: { id, status }, problems }: { item: AccountListItem; problems: number }) {
  if (problems === 0) return <Status status={status} />;
  return (
    <>
      {status === 'active' ? null : <Status status={status} />}
      <a href={`/accounts/${id}`} aria-label={countText(problems)}>
        <Badge tone="bad">{problems}</Badge>
      </a>
    </>
  );
}

function RowMenu({ c, item }: { c: PanelContext; item: AccountListItem }) {
  const texts = useTexts(accountTexts);
  const { id, username, status } = item;
  const to = (path: string) => `/accounts/${id}${path}`;
  const link = (action: Action | undefined, path: string, icon: IconName, text: Child, danger = false) =>
    action !== undefined && !mayDo(c, action) ? null : (
      <a href={to(path)} class={danger ? 'danger' : undefined}>
        <Icon name={icon} />
        {text}
      </a>
    );
  const button = (action: Action, path: string, icon: IconName, text: Child, target?: '_blank') =>
    mayDo(c, action) ? (
      <button type="submit" form={ROW_FORM} formaction={to(path)} formtarget={target}>
        <Icon name={icon} />
        {text}
      </button>
    ) : null;
  const isLeaving = status === 'terminating';
  return (
    <details class="menu" name="menu">
      <summary class="btn btn-quiet btn-icon btn-small" aria-label={texts.moreFor(username)}>
        <Icon name="more" />
      </summary>
      <div class="menu-list">
        {link(undefined, '', 'open', texts.open)}
        {status === 'active'
          ? button('account.login-link', '/log-in', 'log-in', texts.logIn, '_blank')
          : null}
        {isLeaving ? null : (
          <>
            {link('account.change-package', '/package', 'package', texts.changePackage)}
            {link('account.set-password', '/password', 'key-round', texts.setPassword)}
            {link('account.hand-over', '/hand-over', 'users', texts.handOver)}
            {status === 'suspended'
              ? button('account.unsuspend', '/unsuspend', 'good', texts.unsuspend)
              : link('account.suspend', '/suspend', 'pause', texts.suspendAsk)}
            {link('account.terminate', '/terminate', 'trash-2', texts.terminateAsk, true)}
          </>
        )}
      </div>
    </details>
  );
}

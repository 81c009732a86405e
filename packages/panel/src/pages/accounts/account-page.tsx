import { DomainError, isStaffRole, limits } from '@innkeeper/domain';
import {
  type AccountView,
  type AuditItem,
  findManager,
  findSecondFactorState,
  getAccount,
  getHosting,
  getSuspensionReason,
  listAudit,
  listProblems,
  type OperatorContext,
} from '@innkeeper/services';
import type { PanelContext } from '../../env.ts';
import type { Refused } from '../../http/form.ts';
import { isRefresh, recordId } from '../../http/record-id.ts';
import { mayDo, operatorContext } from '../../http/session.ts';
import { textsFor } from '../../language/language.ts';
import { useFormats, useTexts } from '../../language/use-texts.ts';
import { Health } from '../../ui/attention.tsx';
import { ActionLink, ButtonForm, Confirm, type FormState, freshForm, Refusal } from '../../ui/form.tsx';
import { Icon } from '../../ui/icon.tsx';
import { limitNamed, limitText } from '../../ui/limit-fields.tsx';
import { page } from '../../ui/page.tsx';
import { Card, Empty, Facts, Moment, Status, Table, UsageBar } from '../../ui/parts.tsx';
import { SecondFactorCard } from '../../ui/second-factor-card.tsx';
import { UsageBars } from '../../ui/usage-bars.tsx';
import { AuditTable } from '../audit/audit-table.tsx';
import { ConfirmUsername, ReasonField } from './end-pages.tsx';
import { goneAccountPage } from './gone-account-page.tsx';
import { accountTexts } from './texts/index.ts';

const AUDIT_ROWS = 8;

/** One account: its properties, usage, contents and actions. */
export async function accountPage(c: PanelContext, refused?: Refused): Promise<Response> {
  const account_id = recordId(c);
  const state = refused ?? freshForm();
  const ctx = operatorContext(c);
  // A refresh of the page reads only the account's state.
  const isGlance = isRefresh(c);
  const texts = textsFor(c, accountTexts);
  const account = await findAccount(ctx, account_id, isGlance);
  if (account === undefined) return await goneAccountPage(c, account_id);
  const [hosting, manager, factor, audit, problems, reason] = await Promise.all([
    getHosting(ctx, { account_id }),
    isGlance ? null : managerOf(ctx, account_id),
    isGlance ? null : findSecondFactorState(ctx, account),
    isGlance ? [] : newestAudit(ctx, account_id),
    listProblems(ctx, { account_ids: [account_id] }),
    account.status === 'suspended' && !isGlance ? getSuspensionReason(ctx, { account_id }) : null,
  ]);
  return page(
    c,
    {
      title: account.username,
      above: [{ name: texts.accounts, path: '/accounts' }],
      actions: <Changes c={c} account={account} />,
      status: refused?.status ?? 200,
    },
    <>
      <Refusal state={state} />
      <Health
        c={c}
        hosting={hosting}
        status={account.status}
        problems={problems.get(account_id) ?? []}
        path={`/accounts/${account.id}`}
        retry={`/accounts/${account.id}/retry`}
      />
      <div class="half">
        <Card title={texts.account}>
          <AccountFacts account={account} manager={manager} reason={reason} />
        </Card>
        <Card title={texts.usage} actions={<UsageLinks id={account.id} />}>
          <Usage account={account} />
        </Card>
        <Card title={texts.limits}>
          <LimitFacts account={account} />
        </Card>
        <Card title={texts.contents}>
          <Contents account={account} />
        </Card>
      </div>
      <Card
        title={texts.recentActivity}
        actions={<a href={`/audit?account=${account.username}`}>{texts.viewAll}</a>}
      >
        {audit.length === 0 ? <Empty>{texts.noActivity}</Empty> : <AuditTable items={audit} />}
      </Card>
      <SecondFactorCard c={c} path={`/accounts/${account.id}`} username={account.username} factor={factor} />
      {account.status === 'terminating' ? null : <Ends c={c} account={account} state={state} />}
    </>,
  );
}

/** Undefined if the account does not exist or the operator cannot see it. */
async function findAccount(
  ctx: OperatorContext,
  account_id: number,
  isGlance: boolean,
): Promise<AccountView | undefined> {
  try {
    return await getAccount(ctx, {
      account_id,
      include: new Set(isGlance ? [] : (['apps', 'usage'] as const)),
    });
  } catch (error) {
    if (error instanceof DomainError && error.code === 'not_found') return undefined;
    throw error;
  }
}

async function managerOf(ctx: OperatorContext, account_id: number) {
  return isStaffRole(ctx.actor.role) ? await findManager(ctx, { account_id }) : null;
}

async function newestAudit(ctx: OperatorContext, account_id: number): Promise<AuditItem[]> {
  return (await listAudit(ctx, { account_id, limit: AUDIT_ROWS })).items;
}

interface AccountFactsProps {
  account: AccountView;
  /** Null: the provider itself. */
  manager: { username: string } | null;
  /** Why it is suspended. */
  reason: string | null;
}

function AccountFacts({ account, manager, reason }: AccountFactsProps) {
  const texts = useTexts(accountTexts);
  const { node } = account;
  return (
    <Facts
      facts={[
        [texts.status, <Status status={account.status} />],
        ...(account.status === 'suspended'
          ? [[texts.suspendedBecause, reason ?? <span class="muted">{texts.noReason}</span>] as const]
          : []),
        [texts.customer, account.name],
        [texts.email, account.email],
        [texts.package, <a href={`/packages/${account.package.id}`}>{account.package.name}</a>],
        [texts.linuxUser, <code>{account.linux_user}</code>],
        [texts.homeFolder, <code>{account.home_path}</code>],
        [texts.terminalAccess, account.terminal_access ? texts.yes : texts.no],
        ...(node === undefined
          ? []
          : [[texts.server, <a href={`/nodes/${node.id}`}>{node.name}</a>] as const]),
        ...(manager === null
          ? []
          : [[texts.reseller, <a href={`/resellers/${manager.username}`}>{manager.username}</a>] as const]),
        [texts.created, <Moment at={account.created_at} />],
        [texts.lastChanged, <Moment at={account.updated_at} />],
      ]}
    />
  );
}

function UsageLinks({ id }: { id: number }) {
  const texts = useTexts(accountTexts);
  return (
    <>
      <a href={`/accounts/${id}/mail`}>{texts.mail}</a> <a href={`/accounts/${id}/usage`}>{texts.history}</a>
    </>
  );
}

function Usage({ account }: { account: AccountView }) {
  const texts = useTexts(accountTexts);
  const { usage } = account;
  return (
    <>
      {usage === undefined ? null : <UsageBars usage={usage} />}
      <UsageBar label={texts.domains} used={account.domains.length} limit={account.max_domains} />
      <UsageBar label={texts.apps} used={account.apps_count} limit={account.apps_limit} />
      <p class="muted">{texts.measured(<Moment at={usage?.measured_at ?? null} never={texts.notYet} />)}</p>
    </>
  );
}

function LimitFacts({ account }: { account: AccountView }) {
  const facts = limits.map(({ name }) => [limitNamed(name).label, limitText(name, account[name])] as const);
  return <Facts facts={facts} />;
}

const SHOWN_DOMAINS = 10;

function Contents({ account: { domains, apps = [], apps_count } }: { account: AccountView }) {
  const texts = useTexts(accountTexts);
  const formats = useFormats();
  if (domains.length === 0 && apps.length === 0) return <Empty>{texts.noContents}</Empty>;
  return (
    <>
      {domains.length === 0 ? null : (
        <ul>
          {domains.slice(0, SHOWN_DOMAINS).map(({ domain_name, is_primary }) => (
            <li>{is_primary ? texts.primary(domain_name) : domain_name}</li>
          ))}
          {domains.length > SHOWN_DOMAINS ? (
            <li>{texts.moreDomains(formats.number(domains.length - SHOWN_DOMAINS))}</li>
          ) : null}
        </ul>
      )}
      {apps.length === 0 ? null : (
        <Table
          caption={texts.apps}
          headings={[texts.app, texts.template, texts.status]}
          rows={apps.map((app) => [app.name, app.template_name, <Status status={app.status} />])}
        />
      )}
      {apps_count > apps.length ? <p class="muted">{texts.appsInTotal(formats.number(apps_count))}</p> : null}
    </>
  );
}

function LogIn({ c, account: { id, username } }: { c: PanelContext; account: AccountView }) {
  const texts = useTexts(accountTexts);
  return (
    <ButtonForm
      c={c}
      action={`/accounts/${id}/log-in`}
      submit={texts.logIn}
      label={texts.logInAs(username)}
      newTab
    />
  );
}

/** The usual changes as buttons, the rarer ones in a menu, and the way into the customer's panel. */
function Changes({ c, account }: { c: PanelContext; account: AccountView }) {
  const texts = useTexts(accountTexts);
  const { id, username, status } = account;
  if (status === 'terminating') return null;
  const rare = (
    [
      ['account.set-resources', 'limits', 'tag', texts.changeLimits],
      ['account.set-person', 'person', 'mail', texts.edit],
      ['account.hand-over', 'hand-over', 'users', texts.handOver],
    ] as const
  ).filter(([action]) => mayDo(c, action));
  return (
    <>
      <ActionLink c={c} action="account.change-package" href={`/accounts/${id}/package`}>
        {texts.changePackage}
      </ActionLink>
      <ActionLink c={c} action="account.set-password" href={`/accounts/${id}/password`}>
        {texts.setPassword}
      </ActionLink>
      {rare.length === 0 ? null : (
        <details class="menu" name="menu">
          <summary class="btn btn-icon" aria-label={texts.moreFor(username)}>
            <Icon name="more" />
          </summary>
          <div class="menu-list">
            {rare.map(([, path, icon, text]) => (
              <a href={`/accounts/${id}/${path}`}>
                <Icon name={icon} />
                {text}
              </a>
            ))}
          </div>
        </details>
      )}
      {status === 'active' ? <LogIn c={c} account={account} /> : null}
    </>
  );
}

/** Suspension and termination. */
function Ends({ c, account, state }: { c: PanelContext; account: AccountView; state: FormState }) {
  const texts = useTexts(accountTexts);
  const { id, username, status } = account;
  if (!mayDo(c, 'account.suspend')) return null;
  return (
    <Card title={texts.danger}>
      <div class="actions">
        {status === 'active' ? (
          <Confirm
            c={c}
            action={`/accounts/${id}/suspend`}
            ask={texts.suspend}
            submit={texts.suspendOne(username)}
            open={state.errors.reason !== undefined}
          >
            <p>{texts.suspendEffect}</p>
            <ReasonField state={state} />
          </Confirm>
        ) : (
          <ButtonForm c={c} action={`/accounts/${id}/unsuspend`} submit={texts.unsuspend} />
        )}
        <Confirm
          c={c}
          action={`/accounts/${id}/terminate`}
          ask={texts.terminate}
          submit={texts.terminateForGood}
          open={state.errors.username !== undefined}
        >
          <p>{texts.terminateEffect}</p>
          <ConfirmUsername state={state} username={username} />
        </Confirm>
      </div>
    </Card>
  );
}

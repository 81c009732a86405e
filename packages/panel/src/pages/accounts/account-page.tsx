import { DomainError, isStaffRole, limits } from '@innkeeper/domain';
import {
  type AccountView,
  type AuditItem,
  findManager,
  findSecondFactorState,
  getAccount,
  getHosting,
  listAudit,
  listProblems,
  type OperatorContext,
} from '@innkeeper/services';
import type { PanelContext } from '../../env.ts';
import type { Refused } from '../../http/form.ts';
import { isRefresh, recordId } from '../../http/record-id.ts';
import { mayDo, operatorContext } from '../../http/session.ts';
import { textsFor } from '../../language/language.ts';
import { Health } from '../../ui/attention.tsx';
import {
  ActionLink,
  ButtonForm,
  Confirm,
  type FormState,
  freshForm,
  Refusal,
  TextField,
} from '../../ui/form.tsx';
import { limitNamed, limitText } from '../../ui/limit-fields.tsx';
import { page } from '../../ui/page.tsx';
import { Card, Empty, Facts, Moment, Status, Table, UsageBar } from '../../ui/parts.tsx';
import { SecondFactorCard } from '../../ui/second-factor-card.tsx';
import { UsageBars } from '../../ui/usage-bars.tsx';
import { AuditTable } from '../audit/audit-table.tsx';
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
  const account = await findAccount(ctx, account_id, isGlance);
  if (account === undefined) return await goneAccountPage(c, account_id);
  const [hosting, manager, factor, audit, problems] = await Promise.all([
    getHosting(ctx, { account_id }),
    isGlance ? null : managerOf(ctx, account_id),
    isGlance ? null : findSecondFactorState(ctx, account),
    isGlance ? [] : newestAudit(ctx, account_id),
    listProblems(ctx, { account_ids: [account_id] }),
  ]);
  return page(
    c,
    {
      title: account.username,
      above: [{ name: 'Accounts', path: '/accounts' }],
      actions: account.status === 'active' ? <LogIn c={c} account={account} /> : undefined,
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
        <Card title="Account" actions={<Changes c={c} account={account} />}>
          <Facts facts={factsOf(account, manager)} />
        </Card>
        <Card title="Usage" actions={<a href={`/accounts/${account.id}/usage`}>History</a>}>
          <Usage account={account} />
        </Card>
        <Card title="Limits">
          <Facts facts={limitFacts(account)} />
        </Card>
        <Card title="Domains and apps">
          <Contents account={account} />
        </Card>
      </div>
      <Card title="Recent activity" actions={<a href={`/audit?account=${account.username}`}>View all</a>}>
        {audit.length === 0 ? <Empty>No activity yet.</Empty> : <AuditTable items={audit} />}
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

function factsOf(account: AccountView, manager: { username: string } | null) {
  return [
    ['Status', <Status status={account.status} />],
    ['Customer', account.name],
    ['Email address', account.email],
    ['Package', <a href={`/packages/${account.package.id}`}>{account.package.name}</a>],
    ['Linux user', <code>{account.linux_user}</code>],
    ['Home folder', <code>{account.home_path}</code>],
    ['Terminal access', account.terminal_access ? 'yes' : 'no'],
    ...(account.node === undefined
      ? []
      : [['Server', <a href={`/nodes/${account.node.id}`}>{account.node.name}</a>] as const]),
    ...(manager === null
      ? []
      : [['Reseller', <a href={`/resellers/${manager.username}`}>{manager.username}</a>] as const]),
    ['Created', <Moment at={account.created_at} />],
    ['Last changed', <Moment at={account.updated_at} />],
  ] as const;
}

function Usage({ account }: { account: AccountView }) {
  const { usage } = account;
  return (
    <>
      {usage === undefined ? null : <UsageBars usage={usage} />}
      <UsageBar label="Domains" used={account.domains.length} limit={account.max_domains} />
      <UsageBar label="Apps" used={account.apps_count} limit={account.apps_limit} />
      <p class="muted">
        Measured: <Moment at={usage?.measured_at ?? null} never="not yet" />
      </p>
    </>
  );
}

function limitFacts(account: AccountView) {
  return limits.map(({ name }) => [limitNamed(name).label, limitText(name, account[name])] as const);
}

const SHOWN_DOMAINS = 10;

function Contents({ account: { domains, apps = [], apps_count } }: { account: AccountView }) {
  if (domains.length === 0 && apps.length === 0)
    return (
      <Empty>
        No domains or apps yet. The customer adds them. You can also log in as the customer and add them.
      </Empty>
    );
  return (
    <>
      {domains.length === 0 ? null : (
        <ul>
          {domains.slice(0, SHOWN_DOMAINS).map(({ domain_name, is_primary }) => (
            <li>
              {domain_name}
              {is_primary ? ' (primary)' : ''}
            </li>
          ))}
          {domains.length > SHOWN_DOMAINS ? <li>{`and ${domains.length - SHOWN_DOMAINS} more`}</li> : null}
        </ul>
      )}
      {apps.length === 0 ? null : (
        <Table
          caption="Apps"
          headings={['App', 'Template', 'Status']}
          rows={apps.map((app) => [app.name, app.template_name, <Status status={app.status} />])}
        />
      )}
      {apps_count > apps.length ? <p class="muted">{`${apps_count} apps in total.`}</p> : null}
    </>
  );
}

function LogIn({ c, account: { id, username } }: { c: PanelContext; account: AccountView }) {
  return (
    <ButtonForm
      c={c}
      action={`/accounts/${id}/log-in`}
      submit="Log in as the user"
      label={`Log in as the user ${username}`}
    />
  );
}

function Changes({ c, account: { id, status } }: { c: PanelContext; account: AccountView }) {
  if (status === 'terminating') return null;
  return (
    <>
      <ActionLink c={c} action="account.change-package" href={`/accounts/${id}/package`}>
        Change package
      </ActionLink>
      <ActionLink c={c} action="account.set-resources" href={`/accounts/${id}/limits`}>
        Change limits
      </ActionLink>
      <ActionLink c={c} action="account.set-person" href={`/accounts/${id}/person`}>
        {textsFor(c, accountTexts).edit}
      </ActionLink>
      <ActionLink c={c} action="account.set-password" href={`/accounts/${id}/password`}>
        Set password
      </ActionLink>
    </>
  );
}

/** Suspension and termination. */
function Ends({ c, account, state }: { c: PanelContext; account: AccountView; state: FormState }) {
  const { id, username, status } = account;
  if (!mayDo(c, 'account.suspend')) return null;
  return (
    <Card title="Danger zone">
      <div class="actions">
        {status === 'active' ? (
          <Confirm c={c} action={`/accounts/${id}/suspend`} ask="Suspend" submit={`Suspend ${username}`}>
            <p>
              Suspending stops the whole account: its sites show a suspension page, its programs and cron jobs
              stop, and nobody can sign in. No data is deleted. You can unsuspend the account at any time.
            </p>
          </Confirm>
        ) : (
          <ButtonForm c={c} action={`/accounts/${id}/unsuspend`} submit="Unsuspend" />
        )}
        <Confirm
          c={c}
          action={`/accounts/${id}/terminate`}
          ask="Terminate"
          submit="Terminate permanently"
          open={state.errors.username !== undefined}
        >
          <p>
            The server deletes the account with its home folder, domains, apps, databases and cron jobs. You
            cannot undo this.
          </p>
          <TextField
            state={state}
            name="username"
            label={`Type ${username} to confirm`}
            attributes={{ autocomplete: 'off', autocapitalize: 'none', spellcheck: false, required: true }}
          />
        </Confirm>
      </div>
    </Card>
  );
}

import { DomainError, limits } from '@innkeeper/domain';
import {
  type AccountView,
  type AuditItem,
  findManager,
  findSecondFactorState,
  getAccount,
  getHosting,
  type HostingView,
  listAudit,
  type OperatorContext,
} from '@innkeeper/services';
import type { PanelContext } from '../../env.ts';
import { operatorContext } from '../../http/session.ts';
import { ButtonForm, Confirm, type FormState, freshForm, Refusal, TextField } from '../../ui/form.tsx';
import { limitNamed, limitText } from '../../ui/limit-fields.tsx';
import { page } from '../../ui/page.tsx';
import { Card, Empty, Facts, Live, Moment, Status, Table, UsageBar } from '../../ui/parts.tsx';
import { SecondFactorCard } from '../../ui/second-factor-card.tsx';
import { UsageBars } from '../../ui/usage-bars.tsx';
import { AuditTable } from '../audit/audit-table.tsx';
import { goneAccountPage } from './gone.tsx';
import { accountPath } from './paths.ts';

const AUDIT_ROWS = 8;

/** One account: what it is, has and uses, and what can be done with it. */
export async function accountPage(
  c: PanelContext,
  account_id: number,
  state: FormState = freshForm(),
  status = 200,
): Promise<Response> {
  const ctx = operatorContext(c);
  // A page that reads itself again looks at the account's state alone.
  const isGlance = c.req.header('HX-Request') !== undefined;
  const account = await findAccount(ctx, account_id, isGlance);
  if (account === undefined) return await goneAccountPage(c, account_id);
  const [{ applied }, manager, factor, audit] = await Promise.all([
    getHosting(ctx, { account_id }),
    isGlance ? null : managerOf(ctx, account_id),
    isGlance ? null : findSecondFactorState(ctx, account),
    isGlance ? [] : newestAudit(ctx, account_id),
  ]);
  return page(
    c,
    {
      title: account.username,
      above: [{ name: 'Accounts', path: '/accounts' }],
      actions: account.status === 'active' ? <LogIn c={c} account={account} /> : undefined,
      status,
    },
    <>
      <Refusal state={state} />
      <div class="columns">
        <Card title="Account" actions={<Changes account={account} />}>
          <Live
            id="account-state"
            busy={applied === 'under_way' || account.status === 'terminating'}
            path={accountPath(account.id)}
          >
            <State status={account.status} applied={applied} />
          </Live>
          <Facts facts={factsOf(account, manager)} />
        </Card>
        <Card title="Used">
          <Usage account={account} />
        </Card>
        <Card title="Limits">
          <Facts facts={limitFacts(account)} />
        </Card>
        <Card title="Domains and apps">
          <Contents account={account} />
        </Card>
      </div>
      <Card
        title="What was done lately"
        actions={<a href={`/audit?account=${account.username}`}>All of it</a>}
      >
        {audit.length === 0 ? <Empty>Nothing yet.</Empty> : <AuditTable items={audit} />}
      </Card>
      <SecondFactorCard c={c} path={accountPath(account.id)} username={account.username} factor={factor} />
      {account.status === 'terminating' ? null : <Ends c={c} account={account} state={state} />}
    </>,
  );
}

/** Undefined for one that is not there, or not the operator's. */
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
  return ctx.actor.role === 'admin' ? await findManager(ctx, { account_id }) : null;
}

async function newestAudit(ctx: OperatorContext, account_id: number): Promise<AuditItem[]> {
  return (await listAudit(ctx, { account_id, limit: AUDIT_ROWS })).items;
}

function State({ status, applied }: { status: AccountView['status']; applied: HostingView['applied'] }) {
  return (
    <p>
      <Status status={status} /> {stateSentence(status, applied)}
    </p>
  );
}

function stateSentence(status: AccountView['status'], applied: HostingView['applied']): string {
  if (applied === 'failed') return 'Its server could not apply all of the newest change, and keeps trying.';
  if (status === 'terminating')
    return 'It is being removed from its server. Its username is free when nothing of it is left.';
  if (applied === 'under_way') return 'The newest change is being applied on its server.';
  return status === 'suspended'
    ? 'It is stopped: its sites show a page that says so, and nobody can sign in.'
    : 'Everything is in place on its server.';
}

function factsOf(account: AccountView, manager: { username: string } | null) {
  return [
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
    ['Changed', <Moment at={account.updated_at} />],
  ] as const;
}

function Usage({ account }: { account: AccountView }) {
  const { usage } = account;
  return (
    <>
      {usage === undefined ? null : <UsageBars usage={usage} />}
      <UsageBar label="Domains" used={account.domains.length} limit={account.max_domains} />
      <UsageBar label="Apps" used={account.apps_count} limit={account.apps_limit} />
      <p class="soft">
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
      <Empty>No domain and no app yet. The customer adds them, or you do, logged in as the customer.</Empty>
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
          headings={['App', 'Made from', 'Status']}
          rows={apps.map((app) => [app.name, app.template_name, <Status status={app.status} />])}
        />
      )}
      {apps_count > apps.length ? <p class="soft">{`${apps_count} apps in all.`}</p> : null}
    </>
  );
}

function LogIn({ c, account: { id, username } }: { c: PanelContext; account: AccountView }) {
  return (
    <ButtonForm
      c={c}
      action={`${accountPath(id)}/log-in`}
      submit="Log in as the user"
      label={`Log in as the user ${username}`}
    />
  );
}

function Changes({ account: { id, status } }: { account: AccountView }) {
  if (status === 'terminating') return null;
  return (
    <>
      <a class="button" href={`${accountPath(id)}/package`}>
        Change package
      </a>
      <a class="button" href={`${accountPath(id)}/limits`}>
        Change limits
      </a>
      <a class="button" href={`${accountPath(id)}/password`}>
        Set password
      </a>
    </>
  );
}

/** What stops an account, and what ends it. */
function Ends({ c, account, state }: { c: PanelContext; account: AccountView; state: FormState }) {
  const { id, username, status } = account;
  return (
    <Card title="Stop or end it">
      <div class="buttons">
        {status === 'active' ? (
          <Confirm c={c} action={`${accountPath(id)}/suspend`} ask="Suspend" submit={`Suspend ${username}`}>
            <p>
              Everything of the account stops: its sites show a page that says so, its programs and cron jobs
              end, and nobody can sign in. Nothing is deleted, and you can take it back at any time.
            </p>
          </Confirm>
        ) : (
          <ButtonForm c={c} action={`${accountPath(id)}/unsuspend`} submit="Take the suspension back" />
        )}
        <Confirm
          c={c}
          action={`${accountPath(id)}/terminate`}
          ask="Terminate"
          submit="Terminate for good"
          open={state.errors.username !== undefined}
        >
          <p>
            The account is removed from its server with its home folder, domains, apps, databases and cron
            jobs. This cannot be taken back.
          </p>
          <TextField
            state={state}
            name="username"
            label={`Type ${username} to go on`}
            attributes={{ autocomplete: 'off', autocapitalize: 'none', spellcheck: false, required: true }}
          />
        </Confirm>
      </div>
    </Card>
  );
}

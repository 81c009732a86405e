import { endpoints } from '@innkeeper/contract';
import { DomainError, invalidField } from '@innkeeper/domain';
import { createAccount, findCreateFailure, listPackages } from '@innkeeper/services';
import type { Form, PanelContext } from '../../env.ts';
import { fieldsOf, settle, submit } from '../../http/form.ts';
import { goToWithNotice } from '../../http/notice.ts';
import { operatorContext } from '../../http/session.ts';
import { CheckField, type FormState, freshForm, PostForm, Refusal, SelectField } from '../../ui/form.tsx';
import { accountFields, LimitField, UnlimitableField, unlimitedOf } from '../../ui/limit-fields.tsx';
import { page } from '../../ui/page.tsx';
import { Card, Empty } from '../../ui/parts.tsx';
import { PersonFields } from '../../ui/person-fields.tsx';
import { accountPath } from './paths.ts';

/** With a package, whose limits can be replaced one by one; or with limits of its own. */
export type CreateMode = 'package' | 'custom';

const paths = { package: '/accounts/new', custom: '/accounts/new/custom' } as const;

export async function createPage(
  c: PanelContext,
  mode: CreateMode,
  state: FormState = freshForm(),
  status = 200,
): Promise<Response> {
  const content = mode === 'package' ? await withPackage(c, state) : ofItsOwn(c, state);
  return page(
    c,
    { title: 'Create an account', above: [{ name: 'Accounts', path: '/accounts' }], status },
    <>
      <nav class="tabs" aria-label="Kind of account">
        <a href={paths.package} aria-current={mode === 'package' ? 'page' : undefined}>
          With a package
        </a>
        <a href={paths.custom} aria-current={mode === 'custom' ? 'page' : undefined}>
          With limits of its own
        </a>
      </nav>
      {content}
    </>,
  );
}

async function withPackage(c: PanelContext, state: FormState) {
  const packages = await listPackages(operatorContext(c));
  if (packages.length === 0)
    return (
      <>
        <Refusal state={state} />
        <Empty>
          There is no package yet that an account could have. <a href="/packages/new">Create a package</a>, or
          make an account <a href={paths.custom}>with limits of its own</a>.
        </Empty>
      </>
    );
  return (
    <Card title="Who it is for">
      <PostForm c={c} action={paths.package} state={state} submit="Create the account">
        <CustomerFields state={state} />
        <SelectField
          state={state}
          name="package_id"
          label="Package"
          options={packages.map(({ id, name }) => [String(id), name] as const)}
        />
        <SelectField
          state={state}
          name="terminal_access"
          label="Terminal access"
          options={[
            ['', 'As the package says'],
            ['1', 'Yes'],
            ['0', 'No'],
          ]}
        />
        <details class="more" open={hasLimitErrors(state)}>
          <summary>Other limits than the package has</summary>
          <fieldset>
            <legend>Limits of this account</legend>
            <p class="hint">What you leave empty is as the package says.</p>
            <div class="columns">
              {accountFields.all.map((limit) => (
                <LimitField state={state} limit={limit} />
              ))}
            </div>
          </fieldset>
        </details>
      </PostForm>
    </Card>
  );
}

function ofItsOwn(c: PanelContext, state: FormState) {
  return (
    <Card title="Who it is for">
      <PostForm c={c} action={paths.custom} state={state} submit="Create the account">
        <CustomerFields state={state} />
        <CheckField state={state} name="terminal_access" label="Terminal access" />
        <fieldset>
          <legend>Limits</legend>
          <div class="columns">
            {accountFields.sized.map((limit) => (
              <LimitField state={state} limit={limit} required />
            ))}
            {accountFields.unlimitable.map((limit) => (
              <UnlimitableField state={state} limit={limit} />
            ))}
          </div>
        </fieldset>
      </PostForm>
    </Card>
  );
}

function CustomerFields({ state }: { state: FormState }) {
  return (
    <PersonFields
      state={state}
      nameLabel="Name of the customer"
      usernameHint="It is the name of the home folder and cannot be changed later."
      passwordHint="For this panel and for SSH."
    />
  );
}

function hasLimitErrors({ errors, values }: FormState): boolean {
  return accountFields.all.some(
    (limit) => errors[limit] !== undefined || (typeof values[limit] === 'string' && values[limit] !== ''),
  );
}

/** Creates the account, waits a moment for its server, and says how it went. */
export async function create(c: PanelContext, mode: CreateMode): Promise<Response> {
  return await submit(
    c,
    async () => {
      const ctx = operatorContext(c);
      const { form, refused } =
        mode === 'package' ? { form: c.var.form, refused: {} } : customForm(c.var.form);
      const written = await createAccount(ctx, fieldsOf(endpoints.createAccount.body, form, refused));
      const { username } = written.view;
      const outcome = await settle(c, written);
      // The server refused it, and it was undone: nothing of it is kept.
      if (outcome === 'failed' || outcome === 'absent') {
        throw await refusalFor(c, written.accountId, username);
      }
      return goToWithNotice(
        c,
        accountPath(written.accountId),
        outcome === 'applied'
          ? `The account ${username} is ready.`
          : `The account ${username} is being created on its server.`,
      );
    },
    ({ status, ...state }) => createPage(c, mode, state, status),
  );
}

/** A package that is named in a form for limits of its own names none; terminal access is what the box says. */
function customForm(form: Form) {
  const terminal_access = form.terminal_access === '1' ? '1' : '0';
  return unlimitedOf({ ...form, package_id: undefined, terminal_access }, accountFields.unlimitable);
}

/** The server's own words are for admins. */
async function refusalFor(c: PanelContext, account_id: number, username: string): Promise<DomainError> {
  const ctx = operatorContext(c);
  const failure = await findCreateFailure(ctx, { account_id });
  const reason = ctx.actor.role === 'admin' ? failure?.reason : undefined;
  if (failure?.field === 'username')
    return invalidField(
      'username',
      `The username cannot be used: ${reason ?? 'the server has a user or files of this name already.'}`,
    );
  return new DomainError('unavailable', refusalSentence(username, reason));
}

function refusalSentence(username: string, reason: string | undefined): string {
  const why = reason === undefined ? '' : ` It says: ${reason}`;
  return `The server could not create the account ${username}, so nothing of it was kept.${why} Try again, or ask whoever runs the servers.`;
}

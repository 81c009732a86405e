import { endpoints } from '@innkeeper/contract';
import { DomainError, type FieldErrors, invalidField, isStaffRole } from '@innkeeper/domain';
import {
  createAccount,
  findCreateFailure,
  generatePassword,
  isMailOn,
  listPackages,
} from '@innkeeper/services';
import type { Form, PanelContext } from '../../env.ts';
import { fieldsOf, type Refused, textOf, waitForNode } from '../../http/form.ts';
import { operatorContext } from '../../http/session.ts';
import { languageOf, textsFor } from '../../language/language.ts';
import { translate } from '../../language/sentences/translate.ts';
import { useTexts } from '../../language/use-texts.ts';
import {
  CheckField,
  type FormState,
  freshForm,
  PostForm,
  Refusal,
  SelectField,
  TextField,
} from '../../ui/form.tsx';
import {
  accountFields,
  LimitField,
  LimitFields,
  unlimitedOf,
  unlimitedRates,
} from '../../ui/limit-fields.tsx';
import { page } from '../../ui/page.tsx';
import { Card, Empty } from '../../ui/parts.tsx';
import { PersonFields } from '../../ui/person-fields.tsx';
import { uiTexts } from '../../ui/texts/index.ts';
import { siteTexts } from '../sites/texts/index.ts';
import { readTypedName } from '../sites/typed-name.ts';
import { createdAccountPage } from './created-account-page.tsx';
import { accountTexts } from './texts/index.ts';

/** `package`: a package, whose limits can be overridden one by one. `custom`: custom limits. */
export type CreateMode = 'package' | 'custom';

/** The checkbox of the welcome mail. */
const WELCOME = 'welcome_mail';

const paths = { package: '/accounts/new', custom: '/accounts/new/custom' } as const;

/** The form that creates an account. */
export async function newAccountPage(
  c: PanelContext,
  mode: CreateMode,
  refused?: Refused,
): Promise<Response> {
  const state = refused ?? freshForm({ [WELCOME]: '1', ...(mode === 'custom' ? unlimitedRates : {}) });
  const texts = textsFor(c, accountTexts);
  const canWelcome = await isMailOn(c.var.deps.db);
  const content =
    mode === 'package' ? await withPackage(c, state, canWelcome) : ofItsOwn(c, state, canWelcome);
  return page(
    c,
    {
      title: texts.create,
      above: [{ name: texts.accounts, path: '/accounts' }],
      status: refused?.status ?? 200,
    },
    <>
      <nav class="tabs" aria-label={texts.kindOfAccount}>
        <a href={paths.package} aria-current={mode === 'package' ? 'page' : undefined}>
          {texts.withPackage}
        </a>
        <a href={paths.custom} aria-current={mode === 'custom' ? 'page' : undefined}>
          {texts.withCustomLimits}
        </a>
      </nav>
      {content}
    </>,
  );
}

async function withPackage(c: PanelContext, state: FormState, canWelcome: boolean) {
  const texts = textsFor(c, accountTexts);
  const packages = await listPackages(operatorContext(c));
  if (packages.length === 0)
    return (
      <>
        <Refusal state={state} />
        <Empty>
          {texts.noPackageYet(
            <a href="/packages/new">{texts.createPackage}</a>,
            <a href={paths.custom}>{texts.inSentenceCustom}</a>,
          )}
        </Empty>
      </>
    );
  return (
    <Card title={texts.customer}>
      <PostForm c={c} action={paths.package} state={state} submit={texts.createAccount}>
        <CustomerFields state={state} canWelcome={canWelcome} />
        <SelectField
          state={state}
          name="package_id"
          label={texts.package}
          options={packages.map(({ id, name }) => [String(id), name] as const)}
        />
        <SelectField
          state={state}
          name="terminal_access"
          label={texts.terminalAccess}
          options={[
            ['', texts.packageDefault],
            ['1', texts.yes],
            ['0', texts.no],
          ]}
        />
        <details class="more" open={hasLimitErrors(state)}>
          <summary>{texts.overrideLimits}</summary>
          <fieldset>
            <legend>{texts.limitsOfThis}</legend>
            <p class="hint">{texts.emptyIsDefault}</p>
            <div class="half">
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

function ofItsOwn(c: PanelContext, state: FormState, canWelcome: boolean) {
  const texts = textsFor(c, accountTexts);
  return (
    <Card title={texts.customer}>
      <PostForm c={c} action={paths.custom} state={state} submit={texts.createAccount}>
        <CustomerFields state={state} canWelcome={canWelcome} />
        <CheckField state={state} name="terminal_access" label={texts.terminalAccess} />
        <fieldset>
          <legend>{texts.limits}</legend>
          <LimitFields state={state} fields={accountFields} />
        </fieldset>
      </PostForm>
    </Card>
  );
}

function CustomerFields({ state, canWelcome }: { state: FormState; canWelcome: boolean }) {
  const texts = useTexts(accountTexts);
  return (
    <>
      <PersonFields
        state={state}
        nameLabel={texts.customerName}
        usernameHint={texts.usernameHint}
        passwordHint={texts.newPasswordHint}
        optionalPassword
      />
      <TextField
        state={state}
        name="domain_name"
        label={texts.firstDomain}
        hint={texts.firstDomainHint}
        attributes={{ autocomplete: 'off', autocapitalize: 'none', spellcheck: 'false' }}
      />
      {canWelcome ? (
        <CheckField state={state} name={WELCOME} label={texts.welcomeMail} hint={texts.welcomeMailHint} />
      ) : null}
    </>
  );
}

function hasLimitErrors({ errors, values }: FormState): boolean {
  return accountFields.all.some(
    (limit) => errors[limit] !== undefined || (typeof values[limit] === 'string' && values[limit] !== ''),
  );
}

/**
 * Creates the account, waits up to 3 s for its server, and shows the result. The panel makes a password for an empty
 * field. A form without the field is refused: a sign-in in between drops typed passwords.
 */
export async function create(c: PanelContext, mode: CreateMode): Promise<Response> {
  const ctx = operatorContext(c);
  const sent = c.var.form.password === '' ? { ...c.var.form, password: generatePassword() } : c.var.form;
  const { form, refused } =
    mode === 'package' ? { form: sent, refused: {} } : customForm(sent, textsFor(c, uiTexts));
  const typed = textOf(form, 'domain_name');
  const { domain_name, fault } = typed === '' ? {} : readFirstDomain(c, typed);
  const fields = fieldsOf(endpoints.createAccount.body, form, { ...refused, ...fault });
  const isWelcomed = c.var.form[WELCOME] === '1';
  const written = await createAccount(ctx, fields, {
    welcome: isWelcomed ? 'yes' : 'no',
    language: languageOf(c),
    domain_name,
  });
  const { username } = written.view;
  const outcome = await waitForNode(c, written);
  // The server refused it, and the creation was rolled back.
  if (outcome === 'failed' || outcome === 'absent') {
    throw await refusalFor(c, written.accountId, username);
  }
  return await createdAccountPage(c, {
    account: written.view,
    password: fields.password,
    domain_name,
    isReady: outcome === 'applied',
    hasCustomLimits: mode === 'custom',
    isWelcomed,
  });
}

/** The domain name, or the errors of its field. */
function readFirstDomain(c: PanelContext, typed: string): { domain_name?: string; fault?: FieldErrors } {
  try {
    return { domain_name: readTypedName(typed, textsFor(c, siteTexts)) };
  } catch (error) {
    if (!(error instanceof DomainError) || error.fields === undefined) throw error;
    return { fault: error.fields };
  }
}

/** The form for custom limits ignores a package; the checkbox decides on terminal access. */
function customForm(form: Form, texts: typeof uiTexts.en) {
  const terminal_access = form.terminal_access === '1' ? '1' : '0';
  return unlimitedOf({ ...form, package_id: undefined, terminal_access }, accountFields.unlimitable, texts);
}

/** Only admins see the message from the server. */
async function refusalFor(c: PanelContext, account_id: number, username: string): Promise<DomainError> {
  const ctx = operatorContext(c);
  const texts = textsFor(c, accountTexts);
  const failure = await findCreateFailure(ctx, { account_id });
  const said = isStaffRole(ctx.actor.role) ? failure?.reason : undefined;
  const reason = said === undefined ? undefined : translate(languageOf(c), said);
  if (failure?.field === 'username')
    return invalidField('username', texts.usernameUnusable(reason ?? texts.usernameOnServer));
  return new DomainError('unavailable', texts.couldNotCreate(username, reason));
}

import {
  getAccount,
  getProfile,
  listNewTokens,
  listSessions,
  listSignInFailures,
  type Profile,
  type SessionView,
} from '@innkeeper/services';
import type { Child } from 'hono/jsx';
import type { PanelContext } from '../../env.ts';
import type { Refused } from '../../http/form.ts';
import { customerContext, userContext } from '../../http/session.ts';
import { textsFor } from '../../language/language.ts';
import { useTexts } from '../../language/use-texts.ts';
import {
  ButtonForm,
  Confirm,
  type FormState,
  freshForm,
  PostForm,
  Refusal,
  TextField,
} from '../../ui/form.tsx';
import { page } from '../../ui/page.tsx';
import { Badge, Card, Facts, Moment, Table } from '../../ui/parts.tsx';
import { CodeField, CurrentPasswordField } from '../../ui/person-fields.tsx';
import { uiTexts } from '../../ui/texts/index.ts';
import { browserName } from './browser-name.ts';
import { securityTexts } from './texts/index.ts';

/** The forms of this page that can be refused, with the name of each one's code field. */
export type SecurityForm = 'password' | 'disable' | 'renew';

interface ShownForm {
  form: SecurityForm;
  refused: Refused;
}

/** Sign-in settings of the user, for every role. */
export async function securityPage(c: PanelContext, shown?: ShownForm): Promise<Response> {
  const texts = textsFor(c, securityTexts);
  const { roles } = textsFor(c, uiTexts);
  const user = userContext(c);
  const { username = '', role = 'user' } = c.var.signedInAs?.user ?? {};
  const [profile, sessions, failures, newTokens, overSsh] = await Promise.all([
    getProfile(user),
    listSessions(user),
    listSignInFailures(user, { username }),
    role === 'user' ? [] : listNewTokens(user),
    isTakenOverSsh(c),
  ]);
  return page(
    c,
    { title: texts.security, status: shown?.refused.status ?? 200 },
    <>
      <Card title={texts.you} actions={<a href="/profile">{texts.changePerson}</a>}>
        <Facts
          facts={[
            [texts.username, profile.username],
            [texts.name, profile.name],
            [texts.email, profile.email],
            [texts.role, roles[profile.role]],
          ]}
        />
      </Card>
      <SecondFactor c={c} profile={profile} shown={shown} />
      <Password c={c} profile={profile} shown={shown} overSsh={overSsh} />
      <Sessions c={c} sessions={sessions} />
      <NewTokens tokens={newTokens} />
      <Failures failures={failures} />
    </>,
  );
}

/** Whether the password also gives SSH access: the account has terminal access. */
async function isTakenOverSsh(c: PanelContext): Promise<boolean> {
  if (c.var.signedInAs?.user.role !== 'user') return false;
  const ctx = customerContext(c);
  const account = await getAccount(ctx, { account_id: ctx.actor.accountId, include: new Set() });
  return account.terminal_access;
}

interface PartProps {
  c: PanelContext;
  profile: Profile;
  shown: ShownForm | undefined;
}

function SecondFactor({ c, profile: { second_factor }, shown }: PartProps) {
  const texts = useTexts(securityTexts);
  if (second_factor === null)
    return (
      <Card title={texts.twoFactor}>
        <p>{texts.factorOff(<Badge tone="plain">{texts.off}</Badge>)}</p>
        <p>
          <a class="btn btn-primary" href="/security/two-factor">
            {texts.setUp}
          </a>
        </p>
      </Card>
    );
  const { enabled_at, locked_at, recovery_codes_left } = second_factor;
  return (
    <Card title={texts.twoFactor}>
      <p>{texts.factorOn(<Badge tone="good">{texts.on}</Badge>, <Moment at={enabled_at} />)}</p>
      {locked_at === null ? null : (
        <p class="error" role="alert">
          {texts.factorLocked(<Moment at={locked_at} />)}
        </p>
      )}
      <p>{recovery_codes_left === 0 ? texts.noCodesLeft : texts.codesLeft(recovery_codes_left)}</p>
      <div class="actions">
        <CodeConfirm c={c} shown={shown} form="renew" ask={texts.newCodes} submit={texts.createCodes}>
          <p>{texts.newCodesWarning}</p>
        </CodeConfirm>
        <CodeConfirm c={c} shown={shown} form="disable" ask={texts.turnOff} submit={texts.turnOffNow}>
          <p>{texts.turnOffWarning}</p>
        </CodeConfirm>
      </div>
    </Card>
  );
}

function CodeConfirm({
  c,
  shown,
  form,
  ask,
  submit,
  children,
}: Pick<PartProps, 'c' | 'shown'> & {
  form: 'disable' | 'renew';
  ask: string;
  submit: string;
  children: Child;
}) {
  const name = codeField(form);
  const refused = shown?.form === form ? shown.refused : undefined;
  const state: FormState =
    refused === undefined
      ? freshForm()
      : { values: {}, errors: { [name]: refused.errors.code ?? [] }, message: refused.message };
  return (
    <Confirm
      c={c}
      action={`/security/two-factor/${form}`}
      ask={ask}
      submit={submit}
      open={refused !== undefined}
    >
      {children}
      <Refusal state={state} />
      <CodeField state={state} name={name} />
    </Confirm>
  );
}

/** Two forms of the page have a code field. Each field has its own name. */
export function codeField(form: 'disable' | 'renew'): string {
  return `${form}_code`;
}

function Password({ c, profile: { username }, shown, overSsh }: PartProps & { overSsh: boolean }) {
  const texts = useTexts(securityTexts);
  if (c.var.signedInAs?.session.method === 'operator')
    return (
      <Card title={texts.password}>
        <p>{texts.asCustomer}</p>
      </Card>
    );
  const state = shown?.form === 'password' ? shown.refused : freshForm();
  return (
    <Card title={texts.password}>
      <p>{overSsh ? texts.passwordOfPanelAndSsh : texts.passwordOfPanel}</p>
      <PostForm c={c} action="/security/password" state={state} submit={texts.changePassword}>
        <input type="text" name="username" value={username} autocomplete="username" hidden readonly />
        <CurrentPasswordField state={state} name="current_password" label={texts.currentPassword} />
        <TextField
          state={state}
          name="password"
          label={texts.newPassword}
          type="password"
          hint={texts.newPasswordHint}
          attributes={{ autocomplete: 'new-password', required: true, minlength: 8, maxlength: 255 }}
        />
        <TextField
          state={state}
          name="repeated_password"
          label={texts.repeatPassword}
          type="password"
          attributes={{ autocomplete: 'new-password', required: true }}
        />
      </PostForm>
    </Card>
  );
}

/** Shows new tokens, so that the user sees tokens that another operator created. */
function NewTokens({ tokens }: { tokens: Awaited<ReturnType<typeof listNewTokens>> }) {
  const texts = useTexts(securityTexts);
  if (tokens.length === 0) return null;
  return (
    <Card title={texts.newTokens} actions={<a href="/security/tokens">{texts.viewAll}</a>}>
      <p class="muted">{texts.newTokensExplained}</p>
      <Table
        caption={texts.newTokens}
        headings={[texts.name, texts.created, texts.lastUsed]}
        rows={tokens.map(({ name, created_at, last_used_at }) => [
          name,
          <Moment at={created_at} />,
          <Moment at={last_used_at} />,
        ])}
      />
    </Card>
  );
}

function Failures({ failures }: { failures: Awaited<ReturnType<typeof listSignInFailures>> }) {
  const texts = useTexts(securityTexts);
  if (failures.length === 0) return null;
  return (
    <Card title={texts.failures}>
      <p class="muted">{texts.failuresExplained}</p>
      <Table
        caption={texts.failures}
        headings={[texts.address, texts.reason, texts.attempts, texts.first, texts.last]}
        rows={failures.map(({ kind, address, tries, first_at, last_at }) => [
          address,
          texts.failureKinds[kind],
          String(tries),
          <Moment at={first_at} />,
          <Moment at={last_at} />,
        ])}
      />
    </Card>
  );
}

function Sessions({ c, sessions }: { c: PanelContext; sessions: readonly SessionView[] }) {
  const texts = useTexts(securityTexts);
  return (
    <Card
      title={texts.sessions}
      actions={
        <>
          {sessions.length > 1 ? (
            <ButtonForm c={c} action="/security/sessions/end-others" submit={texts.endOthers} />
          ) : null}
          <ButtonForm c={c} action="/security/sessions/end-all" submit={texts.endAll} danger />
        </>
      }
    >
      <p class="muted">{texts.unknownSession}</p>
      <Table
        caption={texts.signedInBrowsers}
        headings={[texts.browser, texts.address, texts.signedIn, texts.lastSeen, '']}
        rows={sessions.map((session) => [
          <>
            {browserName(session.user_agent, texts)}{' '}
            {session.is_current ? <Badge tone="good">{texts.thisBrowser}</Badge> : null}
          </>,
          session.address,
          <>
            <Moment at={session.created_at} /> {texts.methods[session.method]}
          </>,
          <Moment at={session.last_seen_at} />,
          session.is_current ? null : (
            <ButtonForm
              c={c}
              action={`/security/sessions/${session.id}/end`}
              submit={texts.end}
              label={texts.endThis(browserName(session.user_agent, texts), session.address)}
            />
          ),
        ])}
      />
    </Card>
  );
}

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
import { browserName } from './browser-name.ts';

/** The forms of this page that can be refused, with the name of each one's code field. */
export type SecurityForm = 'password' | 'disable' | 'renew';

interface ShownForm {
  form: SecurityForm;
  refused: Refused;
}

const roles = {
  admin: 'Administrator',
  support: 'Support',
  read_only: 'Read only',
  reseller: 'Reseller',
  user: 'Customer',
} as const;

/** Sign-in settings of the user, for every role. */
export async function securityPage(c: PanelContext, shown?: ShownForm): Promise<Response> {
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
    { title: 'Security', status: shown?.refused.status ?? 200 },
    <>
      <Card title="You" actions={<a href="/profile">Change name or email</a>}>
        <Facts
          facts={[
            ['Username', profile.username],
            ['Name', profile.name],
            ['Email', profile.email],
            ['Role', roles[profile.role]],
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
  if (second_factor === null)
    return (
      <Card title="Two-factor authentication">
        <p>
          <Badge tone="plain">off</Badge> Anyone who knows your password can sign in. Two-factor
          authentication also requires a code from your phone.
        </p>
        <p>
          <a class="btn btn-primary" href="/security/two-factor">
            Set up
          </a>
        </p>
      </Card>
    );
  const { enabled_at, locked_at, recovery_codes_left } = second_factor;
  return (
    <Card title="Two-factor authentication">
      <p>
        <Badge tone="good">on</Badge> Since <Moment at={enabled_at} />. Signing in with your password also
        requires a code from your authenticator app.
      </p>
      {locked_at === null ? null : (
        <p class="error" role="alert">
          Locked since <Moment at={locked_at} />: someone who knows your password entered too many wrong
          codes. Change your password. Then unlock it: create new recovery codes here and confirm with a
          current recovery code.
        </p>
      )}
      <p>
        {recovery_codes_left === 0
          ? 'No recovery code is left. Create new ones now: without them you cannot sign in if you lose your phone.'
          : `${recovery_codes_left} of your recovery codes ${recovery_codes_left === 1 ? 'is' : 'are'} left. Each code works for one sign-in without your phone.`}
      </p>
      <div class="actions">
        <CodeConfirm c={c} shown={shown} form="renew" ask="New recovery codes" submit="Create new codes">
          <p>You get 10 new recovery codes. Your current recovery codes stop working.</p>
        </CodeConfirm>
        <CodeConfirm c={c} shown={shown} form="disable" ask="Turn off" submit="Turn off now">
          <p>After that your password alone is enough to sign in. Your recovery codes stop working.</p>
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
  if (c.var.signedInAs?.session.method === 'operator')
    return (
      <Card title="Password">
        <p>
          You are logged in as this customer. Only the customer can change this password here. You can set it
          on the account’s page in your own panel.
        </p>
      </Card>
    );
  const state = shown?.form === 'password' ? shown.refused : freshForm();
  return (
    <Card title="Password">
      <p>
        This password is for this panel{overSsh ? ', SSH and SFTP' : ''}. When you change it, all your other
        browsers are signed out.
      </p>
      <PostForm c={c} action="/security/password" state={state} submit="Change password">
        <input type="text" name="username" value={username} autocomplete="username" hidden readonly />
        <CurrentPasswordField state={state} name="current_password" label="Current password" />
        <TextField
          state={state}
          name="password"
          label="New password"
          type="password"
          hint="At least 8 characters."
          attributes={{ autocomplete: 'new-password', required: true, minlength: 8, maxlength: 255 }}
        />
        <TextField
          state={state}
          name="repeated_password"
          label="Repeat the new password"
          type="password"
          attributes={{ autocomplete: 'new-password', required: true }}
        />
      </PostForm>
    </Card>
  );
}

/** Shows new tokens, so that the user sees tokens that another operator created. */
function NewTokens({ tokens }: { tokens: Awaited<ReturnType<typeof listNewTokens>> }) {
  if (tokens.length === 0) return null;
  return (
    <Card title="New API tokens" actions={<a href="/security/tokens">View all</a>}>
      <p class="muted">
        Tokens of the last 7 days that act as you. If you do not recognize a token, revoke it and change your
        password.
      </p>
      <Table
        caption="New API tokens"
        headings={['Name', 'Created', 'Last used']}
        rows={tokens.map(({ name, created_at, last_used_at }) => [
          name,
          <Moment at={created_at} />,
          <Moment at={last_used_at} />,
        ])}
      />
    </Card>
  );
}

const failureKinds = { password: 'wrong password', code: 'correct password, wrong code' } as const;

function Failures({ failures }: { failures: Awaited<ReturnType<typeof listSignInFailures>> }) {
  if (failures.length === 0) return null;
  return (
    <Card title="Failed sign-in attempts">
      <p class="muted">
        Attempts with your username in the last 30 days. A correct password with a wrong code means that
        someone knows your password. Change it unless that was you.
      </p>
      <Table
        caption="Failed sign-in attempts"
        headings={['Address', 'Reason', 'Attempts', 'First', 'Last']}
        rows={failures.map(({ kind, address, tries, first_at, last_at }) => [
          address,
          failureKinds[kind],
          String(tries),
          <Moment at={first_at} />,
          <Moment at={last_at} />,
        ])}
      />
    </Card>
  );
}

const methods = {
  password: 'with the password',
  'login-link': 'with a login link',
  operator: 'by your provider',
} as const;

function Sessions({ c, sessions }: { c: PanelContext; sessions: readonly SessionView[] }) {
  return (
    <Card
      title="Where you are signed in"
      actions={
        <>
          {sessions.length > 1 ? (
            <ButtonForm c={c} action="/security/sessions/end-others" submit="Sign out all others" />
          ) : null}
          <ButtonForm c={c} action="/security/sessions/end-all" submit="Sign out everywhere" danger />
        </>
      }
    >
      <p class="muted">
        If you do not recognize one of these browsers, sign it out and change your password.
      </p>
      <Table
        caption="Browsers that are signed in"
        headings={['Browser', 'Address', 'Signed in', 'Last seen', '']}
        rows={sessions.map((session) => [
          <>
            {browserName(session.user_agent)}{' '}
            {session.is_current ? <Badge tone="good">this browser</Badge> : null}
          </>,
          session.address,
          <>
            <Moment at={session.created_at} /> {methods[session.method]}
          </>,
          <Moment at={session.last_seen_at} />,
          session.is_current ? null : (
            <ButtonForm
              c={c}
              action={`/security/sessions/${session.id}/end`}
              submit="Sign out"
              label={`Sign out ${browserName(session.user_agent)} at ${session.address}`}
            />
          ),
        ])}
      />
    </Card>
  );
}

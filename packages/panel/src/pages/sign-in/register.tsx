import { DomainError } from '@innkeeper/domain';
import {
  endSession,
  findSession,
  finishSignIn,
  makeKnownBrowser,
  type NewSession,
  type SignInContext,
  signIn,
} from '@innkeeper/services';
import type { Panel, PanelContext } from '../../env.ts';
import { broughtSessions, clearCookie, readCookie, setCookie } from '../../http/cookies.ts';
import { submit, textOf } from '../../http/form.ts';
import { goToWithNotice } from '../../http/notice.ts';
import { goTo, ownPath, signedIn, userContext, visitorContext } from '../../http/session.ts';
import { type FormState, freshForm, PostForm, TextField } from '../../ui/form.tsx';
import { page } from '../../ui/page.tsx';
import { continueByLink, LINK_PAGE, linkPage } from './login-link.tsx';

const CHALLENGE_S = 300;

/** Sign-in with password and second factor, and sign-out. */
export function registerSignIn(panel: Panel): void {
  panel.get('/login', (c) =>
    c.var.signedInAs === undefined ? signInPage(c, freshForm()) : goTo(c, nextOf(c)),
  );

  panel.post('/login', (c) =>
    submit(
      c,
      async () => {
        const { form } = c.var;
        // A password can begin or end with a space.
        const password = typeof form.password === 'string' ? form.password : '';
        const signed = await signIn(newcomer(c), { username: textOf(form, 'username'), password });
        if (signed.session !== undefined) return begin(c, signed);
        setCookie(c, 'challenge', signed.challenge, CHALLENGE_S);
        return goTo(c, `/login/code${nextQuery(c)}`);
      },
      ({ status, ...state }) => signInPage(c, state, status),
    ),
  );

  panel.get('/login/code', (c) =>
    readCookie(c, 'challenge') === undefined ? goTo(c, '/login') : codePage(c, freshForm()),
  );

  panel.post('/login/code', (c) =>
    submit(
      c,
      async () => {
        const challenge = readCookie(c, 'challenge') ?? '';
        try {
          const code = textOf(c.var.form, 'code');
          const signed = await finishSignIn(newcomer(c), { challenge, code });
          clearCookie(c, 'challenge');
          return begin(c, signed);
        } catch (error) {
          if (!(error instanceof DomainError && error.code === 'unauthenticated')) throw error;
          clearCookie(c, 'challenge');
          return goToWithNotice(c, '/login', 'The sign-in timed out. Sign in again.');
        }
      },
      ({ status, ...state }) => codePage(c, state, status),
    ),
  );

  panel.get(LINK_PAGE, linkPage);
  panel.post(LINK_PAGE, continueByLink);

  panel.post('/logout', signedIn, async (c) => {
    const user = userContext(c);
    await endSession(user, { session_id: user.sessionId });
    await endOperatorSession(c);
    clearCookie(c, 'session');
    clearCookie(c, 'operator');
    return goToWithNotice(c, '/login', 'You are signed out.');
  });

  // From a customer's panel back to the operator's own.
  panel.post('/return', signedIn, async (c) => {
    const token = readCookie(c, 'operator') ?? '';
    const { db, now } = c.var.deps;
    const own = await findSession(db, { token, now: now() });
    const user = userContext(c);
    await endSession(user, { session_id: user.sessionId });
    clearCookie(c, 'operator');
    if (own === null || own.user.role === 'user') {
      clearCookie(c, 'session');
      return goToWithNotice(c, '/login', 'Your own session has ended. Sign in again.');
    }
    setCookie(c, 'session', token);
    const { account_id } = c.var.signedInAs ?? {};
    return goTo(c, typeof account_id === 'number' ? `/accounts/${account_id}` : '/accounts');
  });
}

/** Context of a sign-in. It ends the earlier sessions of this browser: a browser has one session. */
function newcomer(c: PanelContext): SignInContext {
  const { session, operator } = broughtSessions(c.req.header('Cookie'), c.var.isSecure);
  return { ...visitorContext(c), replaces: [session, operator].filter((token) => token !== undefined) };
}

/** An operator who signs out in a customer's panel is also signed out of its own. */
async function endOperatorSession(c: PanelContext): Promise<void> {
  const { db, now } = c.var.deps;
  const own = await findSession(db, { token: readCookie(c, 'operator') ?? '', now: now() });
  if (own === null) return;
  const user = userContext(c);
  await endSession(
    { ...user, actor: { ...user.actor, userId: own.user.id } },
    { session_id: own.session.id },
  );
}

function begin(c: PanelContext, { session, username }: { session: NewSession; username: string }): Response {
  setCookie(c, 'session', session.token);
  const known = makeKnownBrowser(c.var.deps, username);
  setCookie(c, 'known', known.value, known.maxAgeS);
  clearCookie(c, 'visitor');
  clearCookie(c, 'operator');
  return goTo(c, nextOf(c));
}

/** The requested page, if it is a page of the panel. */
function nextOf(c: PanelContext): string {
  return ownPath(c.req.query('next'));
}

function nextQuery(c: PanelContext): string {
  const next = nextOf(c);
  return next === '/' ? '' : `?next=${encodeURIComponent(next)}`;
}

function signInPage(c: PanelContext, state: FormState, status = 200): Response {
  return page(
    c,
    { title: 'Sign in', status },
    <PostForm c={c} action={`/login${nextQuery(c)}`} state={state} submit="Sign in">
      <TextField
        state={state}
        name="username"
        label="Username"
        attributes={{
          autocomplete: 'username',
          autocapitalize: 'none',
          spellcheck: false,
          required: true,
          autofocus: true,
        }}
      />
      <TextField
        state={state}
        name="password"
        label="Password"
        type="password"
        attributes={{ autocomplete: 'current-password', required: true }}
      />
    </PostForm>,
  );
}

function codePage(c: PanelContext, state: FormState, status = 200): Response {
  return page(
    c,
    { title: 'Two-factor authentication', status },
    <PostForm c={c} action={`/login/code${nextQuery(c)}`} state={state} submit="Continue">
      <TextField
        state={state}
        name="code"
        label="Code"
        hint="The current six digits from your authenticator app, or a recovery code."
        attributes={{
          autocomplete: 'one-time-code',
          autocapitalize: 'none',
          spellcheck: false,
          required: true,
          autofocus: true,
        }}
      />
    </PostForm>,
  );
}

import { DomainError } from '@innkeeper/domain';
import {
  endSession,
  finishSignIn,
  makeKnownBrowser,
  type NewSession,
  type SignInContext,
  signIn,
} from '@innkeeper/services';
import type { Panel, PanelContext } from '../../env.ts';
import { clearCookie, readCookie, setCookie, setCustomerCookie } from '../../http/cookies.ts';
import { onSubmit, rawTextOf, textOf } from '../../http/form.ts';
import { goTo, goToWithNotice, leaveTo } from '../../http/redirect.ts';
import { signedIn, userContext, visitorContext } from '../../http/session.ts';
import { chooseTheme } from '../../http/theme.ts';
import { chooseLanguage, textsFor } from '../../language/language.ts';
import { continueByLink, LINK_PAGE, linkPage } from './login-link.tsx';
import { codePage, nextOf, nextQuery, signInPage } from './sign-in-page.tsx';
import { signInTexts } from './texts/index.ts';

const CHALLENGE_S = 300;

/** Sign-in with password and second factor, and sign-out. */
export function registerSignIn(panel: Panel): void {
  panel.get('/login', (c) => (c.var.signedInAs === undefined ? signInPage(c) : goTo(c, nextOf(c))));
  panel.post('/login', onSubmit(checkPassword, signInPage));
  panel.get('/login/code', (c) =>
    readCookie(c, 'challenge') === undefined ? goTo(c, '/login') : codePage(c),
  );
  panel.post('/login/code', onSubmit(checkCode, codePage));
  panel.get(LINK_PAGE, linkPage);
  panel.post(LINK_PAGE, continueByLink);
  panel.post('/theme', chooseTheme);
  panel.post('/language', chooseLanguage);
  panel.post('/logout', signedIn, signOut);
  panel.post('/return', signedIn, returnToOperator);
}

async function checkPassword(c: PanelContext): Promise<Response> {
  const { form } = c.var;
  const input = { username: textOf(form, 'username'), password: rawTextOf(form, 'password') };
  const signed = await signIn(signInContext(c), input);
  if (signed.session !== undefined) return beginSession(c, signed);
  setCookie(c, 'challenge', signed.challenge, CHALLENGE_S);
  return goTo(c, `/login/code${nextQuery(c)}`);
}

async function checkCode(c: PanelContext): Promise<Response> {
  const challenge = readCookie(c, 'challenge') ?? '';
  try {
    const code = textOf(c.var.form, 'code');
    const signed = await finishSignIn(signInContext(c), { challenge, code });
    clearCookie(c, 'challenge');
    return beginSession(c, signed);
  } catch (error) {
    if (!(error instanceof DomainError && error.code === 'unauthenticated')) throw error;
    clearCookie(c, 'challenge');
    return goToWithNotice(c, '/login', textsFor(c, signInTexts).timedOut);
  }
}

async function signOut(c: PanelContext): Promise<Response> {
  const user = userContext(c);
  await endSession(user, { session_id: user.sessionId });
  clearCookie(c, 'session');
  return goToWithNotice(c, '/login', textsFor(c, signInTexts).signedOut);
}

/** Ends the session as a customer. The operator's own session stays. */
async function returnToOperator(c: PanelContext): Promise<Response> {
  const { asCustomer, signedInAs } = c.var;
  if (asCustomer === undefined) return goTo(c, '/');
  const user = userContext(c);
  await endSession(user, { session_id: user.sessionId });
  setCustomerCookie(c, asCustomer.session_id, '', { maxAgeS: 0 });
  return leaveTo(c, `/accounts/${signedInAs?.account_id}`);
}

/** Context of a sign-in. It ends the earlier sessions of this browser: a browser has one session. */
function signInContext(c: PanelContext): SignInContext {
  const session = readCookie(c, 'session');
  return { ...visitorContext(c), replaces: session === undefined ? [] : [session] };
}

function beginSession(
  c: PanelContext,
  { session, username }: { session: NewSession; username: string },
): Response {
  setCookie(c, 'session', session.token);
  const known = makeKnownBrowser(c.var.deps, username);
  setCookie(c, 'known', known.value, known.maxAgeS);
  clearCookie(c, 'visitor');
  return goTo(c, nextOf(c));
}

import { invalidField } from '@innkeeper/domain';
import { checkPasswordLink, isMailOn, requestPasswordLink, setPasswordByLink } from '@innkeeper/services';
import type { Panel, PanelContext } from '../../env.ts';
import { clearCookie, readCookie, setCookie } from '../../http/cookies.ts';
import { onSubmit, rawTextOf, textOf, waitForNode } from '../../http/form.ts';
import { goTo, goToWithNotice } from '../../http/redirect.ts';
import { linkVisitorContext, visitorContext } from '../../http/session.ts';
import { languageOf, textsFor } from '../../language/language.ts';
import { forgotPage, newPasswordPage } from './password-pages.tsx';
import { passwordTexts } from './texts/index.ts';

const COOKIE_S = 30 * 60;

/** A forgotten password, and links that set one. For visitors of every role. */
export function registerPassword(panel: Panel): void {
  panel.get('/password/forgot', (c) => forgot(c));
  panel.post('/password/forgot', onSubmit(request, forgot));
  panel.get('/password/link/:token{[\\w-]{43}}', keepLink);
  panel.get('/password/new', (c) => newPassword(c));
  panel.post('/password/new', onSubmit(setPassword, newPassword));
}

async function forgot(c: PanelContext, refused?: Parameters<typeof forgotPage>[2]): Promise<Response> {
  return forgotPage(c, await isMailOn(c.var.deps.db), refused);
}

/** The answer is the same whether the user exists or not. */
async function request(c: PanelContext): Promise<Response> {
  await requestPasswordLink(visitorContext(c), {
    username: textOf(c.var.form, 'username'),
    language: languageOf(c),
  });
  return goToWithNotice(c, '/login', textsFor(c, passwordTexts).requested);
}

/**
 * Moves the token from the address into a cookie, so that no page has it in its address: no history, no referrer. It
 * spends nothing: mail scanners open links too.
 */
function keepLink(c: PanelContext): Response {
  c.header('Referrer-Policy', 'no-referrer');
  setCookie(c, 'link', c.req.param('token') ?? '', COOKIE_S);
  return goTo(c, '/password/new');
}

async function newPassword(
  c: PanelContext,
  refused?: Parameters<typeof newPasswordPage>[2],
): Promise<Response> {
  const token = readCookie(c, 'link') ?? '';
  const { username } = await checkPasswordLink(linkVisitorContext(c), { token });
  return newPasswordPage(c, username, refused);
}

async function setPassword(c: PanelContext): Promise<Response> {
  const { form } = c.var;
  const texts = textsFor(c, passwordTexts);
  const password = rawTextOf(form, 'password');
  if (password !== rawTextOf(form, 'repeated_password'))
    throw invalidField('repeated_password', texts.notRepeated);
  const token = readCookie(c, 'link') ?? '';
  const { written } = await setPasswordByLink(linkVisitorContext(c), { token, password });
  clearCookie(c, 'link');
  if (written !== null) await waitForNode(c, written);
  return goToWithNotice(c, '/login', texts.done);
}

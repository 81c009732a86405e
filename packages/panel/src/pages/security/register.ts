import { endpoints } from '@innkeeper/contract';
import { DomainError } from '@innkeeper/domain';
import {
  confirmTotp,
  createToken,
  disableTotp,
  endAllSessions,
  endSession,
  renewRecoveryCodes,
  revokeToken,
  setOwnAccountPassword,
  setOwnPassword,
} from '@innkeeper/services';
import type { Panel, PanelContext } from '../../env.ts';
import { clearCookie } from '../../http/cookies.ts';
import { fieldsOf, numberOf, onSubmit, rawTextOf, submit, textOf, waitForNode } from '../../http/form.ts';
import { proven } from '../../http/proof.tsx';
import { recordId } from '../../http/record-id.ts';
import { goToWithNotice } from '../../http/redirect.ts';
import { allowed, customerContext, operatorContext, signedIn, userContext } from '../../http/session.ts';
import { languageOf, textsFor } from '../../language/language.ts';
import { translate } from '../../language/sentences/translate.ts';
import { freshForm } from '../../ui/form.tsx';
import { codeField, type SecurityForm, securityPage } from './security-page.tsx';
import { securityTexts } from './texts/index.ts';
import { createdTokenPage, tokensPage } from './tokens-page.tsx';
import { recoveryCodesPage, setUpPage } from './two-factor-pages.tsx';

/** A user's own sessions, second factor and password, and operators' API tokens. */
export function registerSecurity(panel: Panel): void {
  panel.get('/security', signedIn, (c) => securityPage(c));
  const onForm = (path: string, form: SecurityForm, run: (c: PanelContext) => Promise<Response>) =>
    panel.post(
      `/security/${path}`,
      signedIn,
      onSubmit(run, (c, refused) => securityPage(c, { form, refused })),
    );
  onForm('password', 'password', changePassword);
  onForm('two-factor/disable', 'disable', disableSecondFactor);
  onForm('two-factor/renew', 'renew', newRecoveryCodes);
  panel.get('/security/two-factor', signedIn, (c) => unlessEnabled(c, () => setUpPage(c, freshForm())));
  panel.post('/security/two-factor', signedIn, enableSecondFactor);

  panel.post('/security/sessions/end-others', signedIn, endOtherSessions);
  panel.post('/security/sessions/end-all', signedIn, endEverySession);
  panel.post('/security/sessions/:id/end', signedIn, endOneSession);

  panel.get('/security/tokens', allowed('token.create'), (c) => tokensPage(c));
  panel.post('/security/tokens', allowed('token.create'), proven, onSubmit(newToken, tokensPage));
  panel.post('/security/tokens/:id/revoke', allowed('token.revoke'), revoke);
}

/** A customer's password is also the account's password on its server. */
async function changePassword(c: PanelContext): Promise<Response> {
  const texts = textsFor(c, securityTexts);
  const { form, signedInAs } = c.var;
  const isRepeated = rawTextOf(form, 'password') === rawTextOf(form, 'repeated_password');
  const repeated_password = [texts.notRepeated];
  const { password } = fieldsOf(
    endpoints.setAccountPassword.body,
    form,
    isRepeated ? {} : { repeated_password },
  );
  const passwords = { current_password: rawTextOf(form, 'current_password'), password };
  if (signedInAs?.user.role !== 'user') {
    await setOwnPassword(userContext(c), passwords);
    return goToWithNotice(c, '/security', texts.passwordChanged);
  }
  const written = await setOwnAccountPassword(customerContext(c), passwords);
  const isApplied = !written.view.terminal_access || (await waitForNode(c, written)) === 'applied';
  return goToWithNotice(c, '/security', isApplied ? texts.passwordChanged : texts.passwordChangedPending);
}

async function endOtherSessions(c: PanelContext): Promise<Response> {
  await endAllSessions(userContext(c), { spare_current: true });
  return goToWithNotice(c, '/security', textsFor(c, securityTexts).othersEnded);
}

async function endEverySession(c: PanelContext): Promise<Response> {
  await endAllSessions(userContext(c), { spare_current: false });
  clearCookie(c, 'session');
  return goToWithNotice(c, '/login', textsFor(c, securityTexts).allEnded);
}

async function endOneSession(c: PanelContext): Promise<Response> {
  await endSession(userContext(c), { session_id: recordId(c) });
  return goToWithNotice(c, '/security', textsFor(c, securityTexts).oneEnded);
}

async function enableSecondFactor(c: PanelContext): Promise<Response> {
  const [set_up, code] = [textOf(c.var.form, 'set_up'), textOf(c.var.form, 'code')];
  return await unlessEnabled(c, () =>
    submit(
      c,
      async () => {
        const { recovery_codes } = await confirmTotp(userContext(c), { set_up, code });
        return recoveryCodesPage(c, recovery_codes, textsFor(c, securityTexts).factorIsOn);
      },
      ({ status, ...state }) => setUpPage(c, state, { status, kept: set_up }),
    ),
  );
}

async function disableSecondFactor(c: PanelContext): Promise<Response> {
  await disableTotp(userContext(c), { code: textOf(c.var.form, codeField('disable')) });
  return goToWithNotice(c, '/security', textsFor(c, securityTexts).factorIsOff);
}

async function newRecoveryCodes(c: PanelContext): Promise<Response> {
  const code = textOf(c.var.form, codeField('renew'));
  const { recovery_codes } = await renewRecoveryCodes(userContext(c), { code });
  return recoveryCodesPage(c, recovery_codes, textsFor(c, securityTexts).oldCodesStopped);
}

/** Shows a message if another browser has already turned two-factor authentication on. */
async function unlessEnabled(c: PanelContext, run: () => Promise<Response>): Promise<Response> {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof DomainError && error.code === 'conflict')) throw error;
    return goToWithNotice(c, '/security', translate(languageOf(c), error.message));
  }
}

async function newToken(c: PanelContext): Promise<Response> {
  const { token, plain_token } = await createToken(operatorContext(c), tokenInput(c));
  return createdTokenPage(c, token, plain_token);
}

async function revoke(c: PanelContext): Promise<Response> {
  const token = await revokeToken(operatorContext(c), { token_id: recordId(c) });
  c.var.deps.tellTokenRevoked(token.id);
  return goToWithNotice(c, '/security/tokens', textsFor(c, securityTexts).revoked(token.name));
}

function tokenInput(c: PanelContext): Parameters<typeof createToken>[1] {
  const { form, signedInAs } = c.var;
  const preset = textOf(form, 'preset');
  const abilities = Array.isArray(form.abilities) ? form.abilities.filter(isText) : [];
  return {
    user: signedInAs?.user.role === 'admin' ? textOf(form, 'user') : (signedInAs?.user.username ?? ''),
    name: textOf(form, 'name'),
    allowed_ips: textOf(form, 'allowed_ips'),
    expires_in_days: textOf(form, 'expires_in_days') === '' ? null : numberOf(form, 'expires_in_days'),
    newest_id: Number(/^\d{1,15}$/.exec(textOf(form, 'newest_id'))?.[0] ?? 0),
    ...(preset === '' ? {} : { preset }),
    ...(abilities.length === 0 ? {} : { abilities }),
  };
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

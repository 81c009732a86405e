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
import { fieldsOf, settle, submit, textOf } from '../../http/form.ts';
import { goToWithNotice } from '../../http/notice.ts';
import { proven } from '../../http/proof.tsx';
import { customerContext, operator, operatorContext, signedIn, userContext } from '../../http/session.ts';
import { freshForm } from '../../ui/form.tsx';
import { codeField, securityPage } from './security.tsx';
import { createdTokenPage, tokensPage } from './tokens.tsx';
import { recoveryCodesPage, setUpPage } from './two-factor.tsx';

/** A user's own sessions, second factor and password, and operators' API tokens. */
export function registerSecurity(panel: Panel): void {
  panel.get('/security', signedIn, (c) => securityPage(c));
  registerSessions(panel);
  registerSecondFactor(panel);
  registerTokens(panel);

  panel.post('/security/password', signedIn, (c) =>
    submit(
      c,
      async () => goToWithNotice(c, '/security', await changePassword(c)),
      (refused) => securityPage(c, { form: 'password', refused }),
    ),
  );
}

/** Returns the message for the user. A customer's password is also the account's password on its server. */
async function changePassword(c: PanelContext): Promise<string> {
  const isRepeated = typedOf(c, 'password') === typedOf(c, 'repeated_password');
  const repeated_password = ['The two new passwords do not match.'];
  const { password } = fieldsOf(
    endpoints.setAccountPassword.body,
    c.var.form,
    isRepeated ? {} : { repeated_password },
  );
  const passwords = { current_password: typedOf(c, 'current_password'), password };
  const said = 'Your password was changed. All your other browsers are signed out.';
  if (c.var.signedInAs?.user.role !== 'user') {
    await setOwnPassword(userContext(c), passwords);
    return said;
  }
  const written = await setOwnAccountPassword(customerContext(c), passwords);
  const isApplied = !written.view.terminal_access || (await settle(c, written)) === 'applied';
  return isApplied
    ? said
    : `${said} SSH and SFTP accept the old password until your server has applied the new one.`;
}

/** A password, not trimmed: it can begin or end with a space. */
function typedOf(c: PanelContext, field: string): string {
  const typed = c.var.form[field];
  return typeof typed === 'string' ? typed : '';
}

function registerSessions(panel: Panel): void {
  panel.post('/security/sessions/end-others', signedIn, async (c) => {
    await endAllSessions(userContext(c), { spare_current: true });
    return goToWithNotice(c, '/security', 'All your other browsers are signed out.');
  });

  panel.post('/security/sessions/end-all', signedIn, async (c) => {
    await endAllSessions(userContext(c), { spare_current: false });
    clearCookie(c, 'session');
    return goToWithNotice(c, '/login', 'You are signed out everywhere.');
  });

  panel.post('/security/sessions/:id/end', signedIn, async (c) => {
    await endSession(userContext(c), { session_id: idOf(c) });
    return goToWithNotice(c, '/security', 'That browser is signed out.');
  });
}

function registerSecondFactor(panel: Panel): void {
  panel.get('/security/two-factor', signedIn, (c) => unlessEnabled(c, () => setUpPage(c, freshForm())));

  panel.post('/security/two-factor', signedIn, (c) => {
    const [set_up, code] = [textOf(c.var.form, 'set_up'), textOf(c.var.form, 'code')];
    return unlessEnabled(c, () =>
      submit(
        c,
        async () => {
          const { recovery_codes } = await confirmTotp(userContext(c), { set_up, code });
          return recoveryCodesPage(c, recovery_codes, 'Two-factor authentication is on.');
        },
        ({ status, ...state }) => setUpPage(c, state, { status, kept: set_up }),
      ),
    );
  });

  panel.post('/security/two-factor/disable', signedIn, (c) =>
    submit(
      c,
      async () => {
        await disableTotp(userContext(c), { code: textOf(c.var.form, codeField('disable')) });
        return goToWithNotice(c, '/security', 'Two-factor authentication is off.');
      },
      (refused) => securityPage(c, { form: 'disable', refused }),
    ),
  );

  panel.post('/security/two-factor/renew', signedIn, (c) =>
    submit(
      c,
      async () => {
        const code = textOf(c.var.form, codeField('renew'));
        const { recovery_codes } = await renewRecoveryCodes(userContext(c), { code });
        return recoveryCodesPage(c, recovery_codes, 'Your old recovery codes no longer work.');
      },
      (refused) => securityPage(c, { form: 'renew', refused }),
    ),
  );
}

/** Shows a message if another browser has already turned two-factor authentication on. */
async function unlessEnabled(c: PanelContext, run: () => Promise<Response>): Promise<Response> {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof DomainError && error.code === 'conflict')) throw error;
    return goToWithNotice(c, '/security', error.message);
  }
}

function registerTokens(panel: Panel): void {
  panel.get('/security/tokens', operator, (c) => tokensPage(c));

  panel.post('/security/tokens', operator, proven, (c) =>
    submit(
      c,
      async () => {
        const { token, plain_token } = await createToken(operatorContext(c), tokenInput(c));
        return createdTokenPage(c, token, plain_token);
      },
      ({ status, ...state }) => tokensPage(c, state, status),
    ),
  );

  panel.post('/security/tokens/:id/revoke', operator, async (c) => {
    const token = await revokeToken(operatorContext(c), { token_id: idOf(c) });
    c.var.deps.tellTokenRevoked(token.id);
    return goToWithNotice(c, '/security/tokens', `The token “${token.name}” was revoked.`);
  });
}

function tokenInput(c: PanelContext): Parameters<typeof createToken>[1] {
  const { form, signedInAs } = c.var;
  const preset = textOf(form, 'preset');
  const abilities = Array.isArray(form.abilities) ? form.abilities.filter(isText) : [];
  return {
    user: signedInAs?.user.role === 'admin' ? textOf(form, 'user') : (signedInAs?.user.username ?? ''),
    name: textOf(form, 'name'),
    allowed_ips: textOf(form, 'allowed_ips'),
    newest_id: Number(/^\d{1,15}$/.exec(textOf(form, 'newest_id'))?.[0] ?? 0),
    ...(preset === '' ? {} : { preset }),
    ...(abilities.length === 0 ? {} : { abilities }),
  };
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

function idOf(c: PanelContext): number {
  const id = /^[1-9]\d{0,15}$/.exec(c.req.param('id') ?? '')?.[0];
  if (id === undefined) throw new DomainError('not_found', 'There is no such record.');
  return Number(id);
}

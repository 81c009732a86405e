import { createLoginLink, followLoginLink } from '@innkeeper/services';
import type { PanelContext } from '../../env.ts';
import { readCookie, setCookie } from '../../http/cookies.ts';
import { recordId } from '../../http/record-id.ts';
import { goTo } from '../../http/redirect.ts';
import { operatorContext, operatorSession, visitorContext } from '../../http/session.ts';

/**
 * Opens the customer's panel for an operator. The panel creates a login link, follows it at once and never shows
 * it. The browser keeps the operator's own session in a second cookie. `/return` ends the customer's session and
 * returns to the operator's.
 */
export async function logInAs(c: PanelContext): Promise<Response> {
  const destination = { target: 'dashboard', app_id: null, domain_id: null } as const;
  const { signer } = c.var.deps;
  const { user, expires, signature } = await createLoginLink(
    { ...operatorContext(c), signer },
    { account_id: recordId(c), destination },
  );
  const link = { destination, expires, signature };
  const { session, path } = await followLoginLink(visitorContext(c), {
    user_id: user.id,
    link,
    operator: operatorSession(c),
  });
  setCookie(c, 'operator', readCookie(c, 'session') ?? '');
  setCookie(c, 'session', session.token);
  return goTo(c, path);
}

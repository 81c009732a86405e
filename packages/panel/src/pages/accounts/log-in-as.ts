import { createLoginLink, followLoginLink } from '@innkeeper/services';
import type { PanelContext } from '../../env.ts';
import { customerPath, setCustomerCookie } from '../../http/cookies.ts';
import { recordId } from '../../http/record-id.ts';
import { goTo } from '../../http/redirect.ts';
import { operatorContext, operatorSession, visitorContext } from '../../http/session.ts';

/**
 * Opens the customer's panel for an operator, under a path and a cookie of its own. The panel creates a login link,
 * follows it at once and never shows it. `/return` ends the customer's session.
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
  setCustomerCookie(c, session.id, session.token);
  return goTo(c, customerPath(session.id) + path);
}

import { linkPagePath, sessionCookie } from '@innkeeper/panel';
import { Redirect, type Route, type RouteRequest } from '../../http/route.ts';

export const followLoginLink: Route<'followLoginLink'> = {
  answer: async (asked) => {
    const { deps, visitor, params, query } = asked;
    const brought = { user_id: params.id, link: query };
    if (visitor.onlyLooks || (await isSomebodyElse(asked))) {
      const { path } = await deps.services.checkLoginLink(visitor, brought);
      return new Redirect(visitor.onlyLooks ? path : linkPagePath(brought), {});
    }
    const { session, path } = await deps.services.followLoginLink(visitor, brought);
    return new Redirect(path, { 'Set-Cookie': sessionCookie(session.token, visitor.isSecure) });
  },
};

/**
 * Returns whether the browser is signed in as another user. Then the panel asks before it changes the user: an attacker
 * may have sent the link to make the browser's user work in a foreign account.
 */
async function isSomebodyElse({ deps, visitor, params }: RouteRequest<'followLoginLink'>): Promise<boolean> {
  if (visitor.session === undefined) return false;
  const token = visitor.session;
  const signedInAs = await deps.services.findSession(visitor.db, { token, now: visitor.now() });
  return signedInAs !== null && signedInAs.user.id !== params.id;
}

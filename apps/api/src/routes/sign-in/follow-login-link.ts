import { Redirect, type Route } from '../../http/route.ts';
import { sessionCookie } from '../../http/session-cookie.ts';

export const followLoginLink: Route<'followLoginLink'> = {
  answer: async ({ deps, visitor, params, query }) => {
    const { session, path } = await deps.services.followLoginLink(visitor, {
      user_id: params.id,
      link: query,
    });
    return new Redirect(path, { 'Set-Cookie': sessionCookie(session.token, visitor.isSecure) });
  },
};

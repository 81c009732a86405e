import { sessionCookie } from '@innkeeper/panel';
import { Redirect, type Route } from '../../http/route.ts';

export const followLoginLink: Route<'followLoginLink'> = {
  answer: async ({ deps, visitor, params, query }) => {
    const brought = { user_id: params.id, link: query };
    if (visitor.onlyLooks) {
      const { path } = await deps.services.checkLoginLink(visitor, brought);
      return new Redirect(path, {});
    }
    const { session, path } = await deps.services.followLoginLink(visitor, brought);
    return new Redirect(path, { 'Set-Cookie': sessionCookie(session.token, visitor.isSecure) });
  },
};

import { API_PREFIX, endpoints } from '@innkeeper/contract';
import { assertMaySignIn } from '@innkeeper/domain';
import { linkPagePath, sessionCookie } from '@innkeeper/panel';
import type { LoginLink } from '@innkeeper/services';
import { Redirect, type RouteRequest, type Routes } from '../http/route.ts';

export const loginLinks = {
  createLoginLink: {
    requireRecord: async ({ services, context, params }) => {
      const { status } = await services.getAccount(context, { account_id: params.id, include: new Set() });
      assertMaySignIn(status);
    },
    answer: async ({ deps, services, context, params, body }) => {
      const { target, app_id = null, domain_id = null } = body;
      const link = await services.createLoginLink(
        { ...context, signer: deps.signer },
        { account_id: params.id, destination: { target, app_id, domain_id } },
      );
      return {
        data: {
          login_url: loginUrl(deps.publicUrl, link),
          expires_in: link.expires_in,
          user_username: link.user.username,
          user_email: link.user.email,
          target,
        },
      };
    },
  },
  followLoginLink: {
    answer: async (asked) => {
      const { services, visitor, params, query } = asked;
      const brought = { user_id: params.id, link: query };
      if (visitor.onlyLooks || (await isSomebodyElse(asked))) {
        const { path } = await services.checkLoginLink(visitor, brought);
        return new Redirect(visitor.onlyLooks ? path : linkPagePath(brought), {});
      }
      const { session, path } = await services.followLoginLink(visitor, brought);
      return new Redirect(path, { 'Set-Cookie': sessionCookie(session.token, visitor.isSecure) });
    },
  },
} satisfies Partial<Routes>;

function loginUrl(publicUrl: string, { user, expires, destination, signature }: LoginLink): string {
  const url = new URL(
    API_PREFIX + endpoints.followLoginLink.path.replace('{id}', String(user.id)),
    publicUrl,
  );
  for (const [name, value] of Object.entries({ expires, ...destination, signature }))
    if (value !== null) url.searchParams.set(name, String(value));
  return url.href;
}

/**
 * Returns whether the browser is signed in as another user. Then the panel asks before it changes the user: an attacker
 * may have sent the link to make the browser's user work in a foreign account.
 */
async function isSomebodyElse({
  services,
  visitor,
  params,
}: RouteRequest<'followLoginLink'>): Promise<boolean> {
  if (visitor.session === undefined) return false;
  const signedInAs = await services.findSession(visitor.db, { token: visitor.session, now: visitor.now() });
  return signedInAs !== null && signedInAs.user.id !== params.id;
}

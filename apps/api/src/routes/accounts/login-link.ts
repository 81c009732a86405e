import { API_PREFIX, endpoints } from '@innkeeper/contract';
import { assertMaySignIn } from '@innkeeper/domain';
import type { LoginLink } from '@innkeeper/services';
import type { Route } from '../../http/route.ts';

export const createLoginLink: Route<'createLoginLink'> = {
  requireRecord: async ({ deps, context, params }) => {
    const found = { account_id: params.id, include: new Set<never>() };
    assertMaySignIn((await deps.services.getAccount(context, found)).status);
  },
  answer: async ({ deps, context, params, body }) => {
    const { target, app_id = null, domain_id = null } = body;
    const link = await deps.services.createLoginLink(
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
};

function loginUrl(publicUrl: string, { user, expires, destination, signature }: LoginLink): string {
  const url = new URL(
    API_PREFIX + endpoints.followLoginLink.path.replace('{id}', String(user.id)),
    publicUrl,
  );
  for (const [name, value] of Object.entries({ expires, ...destination, signature }))
    if (value !== null) url.searchParams.set(name, String(value));
  return url.href;
}

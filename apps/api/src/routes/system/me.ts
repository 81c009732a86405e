import type { Route } from '../../http/route.ts';

export const me: Route<'me'> = {
  answer: async ({ identity: { user, token } }) => ({
    status: 'ok',
    authenticated: true,
    user: { id: user.id, username: user.username, role: user.role },
    token: {
      id: token.id,
      name: token.name,
      purpose: token.purpose,
      preset: token.preset,
      abilities: token.abilities,
    },
  }),
};

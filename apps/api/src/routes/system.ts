import { OtherStatus, type Routes } from '../http/route.ts';

export const system = {
  health: {
    answer: async ({ deps }) => ({ status: 'ok', time: deps.now() }),
  },
  ready: {
    answer: async ({ deps }) => {
      const readiness = await deps.checkReadiness();
      return readiness.status === 'ok' ? readiness : new OtherStatus(503, readiness);
    },
  },
  me: {
    answer: async ({ identity: { user, token } }) => ({
      status: 'ok',
      authenticated: true,
      // The API knows admins and resellers. What a token of other staff may do is told by its refusals.
      user: { id: user.id, username: user.username, role: user.role === 'reseller' ? 'reseller' : 'admin' },
      token: {
        id: token.id,
        name: token.name,
        purpose: token.purpose,
        preset: token.preset,
        abilities: token.abilities,
      },
    }),
  },
} satisfies Partial<Routes>;

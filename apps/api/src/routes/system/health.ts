import type { Route } from '../../http/route.ts';

export const health: Route<'health'> = {
  answer: async ({ deps }) => ({ status: 'ok', time: deps.now() }),
};

import type { Route } from '../../http/route.ts';
import { settle } from '../accounts/settle.ts';

export const removeApp: Route<'removeApp'> = {
  answer: async ({ deps, context, params }) => {
    const written = await deps.services.removeApp(context, { app_id: params.id });
    await settle(deps, written);
    return { message: 'App removed' };
  },
};

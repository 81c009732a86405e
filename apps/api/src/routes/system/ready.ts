import { OtherStatus, type Route } from '../../http/route.ts';

export const ready: Route<'ready'> = {
  answer: async ({ deps }) => {
    const readiness = await deps.checkReadiness();
    return readiness.status === 'ok' ? readiness : new OtherStatus(503, readiness);
  },
};

import type { Endpoint } from '../endpoint.ts';
import { guarded, read } from '../endpoint-kinds.ts';
import { health, me, readiness } from './responses.ts';

export const systemEndpoints = {
  health: {
    ...read,
    path: '/health',
    access: 'public',
    limit: 'health',
    response: health,
    errors: [429, 500],
    summary: 'Check that the service runs.',
  },
  ready: {
    ...read,
    path: '/ready',
    access: 'token',
    response: readiness,
    alsoAnswers: [503],
    errors: guarded,
    summary: 'Check the database and the queue, and count the online hosting servers.',
  },
  me: {
    ...read,
    path: '/auth/me',
    access: 'token',
    response: me,
    errors: guarded,
    summary: 'Show the user and the abilities of the token.',
  },
} as const satisfies Record<string, Endpoint>;

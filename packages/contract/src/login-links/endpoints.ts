import type { Endpoint } from '../endpoint.ts';
import { read } from '../endpoint-kinds.ts';
import { loginLinkParams, loginLinkQuery } from './requests.ts';

export const loginLinkEndpoints = {
  followLoginLink: {
    ...read,
    path: '/sso/login/{id}',
    access: 'signed',
    limit: 'sso',
    params: loginLinkParams,
    query: loginLinkQuery,
    status: 302,
    response: null,
    errors: [403, 429, 500, 503],
    summary: 'Sign in to the panel with a login link and redirect to its page.',
  },
} as const satisfies Record<string, Endpoint>;

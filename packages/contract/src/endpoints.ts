import { accountEndpoints } from './accounts/endpoints.ts';
import { appEndpoints } from './apps/endpoints.ts';
import { cronJobEndpoints } from './cron-jobs/endpoints.ts';
import { databaseEndpoints } from './databases/endpoints.ts';
import { domainEndpoints } from './domains/endpoints.ts';
import type { Endpoint } from './endpoint.ts';
import { loginLinkEndpoints } from './login-links/endpoints.ts';
import { packageEndpoints } from './packages/endpoints.ts';
import { systemEndpoints } from './system/endpoints.ts';

/** API v1. The routes, the tests of every guard and the OpenAPI document are built from this table. */
export const endpoints = {
  ...systemEndpoints,
  ...loginLinkEndpoints,
  ...packageEndpoints,
  ...accountEndpoints,
  ...domainEndpoints,
  ...appEndpoints,
  ...databaseEndpoints,
  ...cronJobEndpoints,
} as const satisfies Record<string, Endpoint>;

export type EndpointName = keyof typeof endpoints;

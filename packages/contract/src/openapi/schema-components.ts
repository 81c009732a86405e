import type { z } from 'zod';
import { account, accountListItem, usernameCheck } from '../accounts/responses.ts';
import { app, appListItem, appSummary, appTemplate } from '../apps/responses.ts';
import { cronJob, cronJobWithAccount } from '../cron-jobs/responses.ts';
import { database, databaseWithAccount } from '../databases/responses.ts';
import { domain, domainWithAccount } from '../domains/responses.ts';
import type { Endpoint } from '../endpoint.ts';
import { endpoints } from '../endpoints.ts';
import { failureBody, messageBody, serviceErrorBody, validationErrorBody } from '../error-bodies.ts';
import { loginLink } from '../login-links/responses.ts';
import { hostingPackage } from '../packages/responses.ts';
import { hostingAccount } from '../record-references.ts';
import { health, me, readiness } from '../system/responses.ts';
import { bulkUsage, usageSnapshot } from '../usage/responses.ts';
import { inputSchema, outputSchemas, schemaReference } from './json-schema.ts';
import type { JsonSchema, Reference } from './openapi-types.ts';

/** Response schemas by name. Generated clients use these names for their types. */
const answers: Readonly<Record<string, z.ZodType>> = {
  Health: health,
  Readiness: readiness,
  Me: me,
  Package: hostingPackage,
  Account: account,
  AccountListItem: accountListItem,
  AccountList: endpoints.listAccounts.response,
  UsernameCheck: usernameCheck,
  UsageSnapshot: usageSnapshot,
  BulkUsage: bulkUsage,
  LoginLink: loginLink,
  HostingAccount: hostingAccount,
  Domain: domain,
  DomainWithAccount: domainWithAccount,
  DomainList: endpoints.listDomains.response,
  AppTemplate: appTemplate,
  AppSummary: appSummary,
  AppListItem: appListItem,
  App: app,
  AppList: endpoints.listApps.response,
  Database: database,
  DatabaseWithAccount: databaseWithAccount,
  DatabaseList: endpoints.listDatabases.response,
  CronJob: cronJob,
  CronJobWithAccount: cronJobWithAccount,
  CronJobList: endpoints.listCronJobs.response,
  Message: messageBody,
  ValidationError: validationErrorBody,
  ServiceError: serviceErrorBody,
  Failure: failureBody,
};

const table = Object.entries<Endpoint>(endpoints);

export interface SchemaComponents {
  /** Schemas for `components/schemas`. */
  schemas: Record<string, JsonSchema>;
  /** Body of the endpoint's success response. */
  answerOf(endpointName: string): JsonSchema | Reference;
}

/** All shared response schemas and all request bodies, by name. */
export function schemaComponents(): SchemaComponents {
  const nameOf = new Map(Object.entries(answers).map(([name, schema]) => [schema, name]));
  const own = table.flatMap(([name, { response }]) =>
    response === null || nameOf.has(response) ? [] : [[name, response] as const],
  );
  const converted = outputSchemas(new Map([...Object.entries(answers), ...own]));
  const get = (name: string) => converted.get(name) ?? {};
  const requests = table.flatMap(([name, { body }]) =>
    body === undefined ? [] : [[requestName(name), inputSchema(body)] as const],
  );
  return {
    schemas: Object.fromEntries([...Object.keys(answers).map((name) => [name, get(name)]), ...requests]),
    answerOf: (endpointName) => {
      const { response } = endpoints[endpointName as keyof typeof endpoints];
      const shared = response === null ? undefined : nameOf.get(response);
      return shared === undefined ? get(endpointName) : schemaReference(shared);
    },
  };
}

/** Schema name of a request body: `createAccount` has `CreateAccountRequest`. */
export function requestName(endpointName: string): string {
  return `${endpointName.charAt(0).toUpperCase()}${endpointName.slice(1)}Request`;
}

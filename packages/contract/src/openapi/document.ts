import { API_PREFIX, type Endpoint, rateLimits } from '../endpoint.ts';
import { endpoints } from '../endpoints.ts';
import { examples } from './examples.ts';
import type { OpenApiDocument, Operation } from './openapi-types.ts';
import { parameters, parametersOf } from './parameters.ts';
import { requestBodyOf } from './request-body.ts';
import { errorResponses, headers, responsesOf } from './responses.ts';
import { type SchemaComponents, schemaComponents } from './schema-components.ts';

/** Tag of an operation, by the first part of its path. */
const tagOf: Readonly<Record<string, string>> = {
  health: 'System',
  ready: 'System',
  auth: 'System',
  sso: 'Login links',
  packages: 'Packages',
  accounts: 'Accounts',
  domains: 'Domains',
  'app-templates': 'Apps',
  apps: 'Apps',
  databases: 'Databases',
  'cron-jobs': 'Cron jobs',
};

const tags = [
  { name: 'Accounts', description: 'Hosting accounts with their limits, states and usage.' },
  { name: 'Packages', description: 'Named sets of limits.' },
  { name: 'Domains', description: 'Domains of accounts and their certificates.' },
  { name: 'Apps', description: 'Installed applications, their templates and deployments.' },
  { name: 'Databases', description: 'MySQL databases of accounts.' },
  { name: 'Cron jobs', description: 'Commands that run on a schedule.' },
  { name: 'Login links', description: 'Sign-in to the panel with a login link.' },
  { name: 'System', description: 'State of the service, and identity of the token.' },
];

const description = `The API creates, suspends and terminates hosting accounts, changes their packages and limits, and manages
their domains, apps, databases and cron jobs.

Responses are JSON. Requests are JSON or forms. The API ignores unknown request fields. Future versions may add
response fields. The API trims all strings except passwords and treats an empty string as null. Timestamps are UTC
with microseconds. A record that the token cannot see returns 404, like a record that does not exist. The API checks
each request in this order: token, IP address, rate limit, ability, record, policy, fields. Sizes and rates in fields
named \`_mb\` and \`_mbps\` are MiB and MiB/s (1 MiB = 1,048,576 bytes).`;

/** Builds the OpenAPI document from the contract's endpoint table. `version` is the version of the software. */
export function openApiDocument({ version }: { version: string }): OpenApiDocument {
  const components = schemaComponents();
  const paths: OpenApiDocument['paths'] = {};
  for (const [name, endpoint] of Object.entries<Endpoint>(endpoints)) {
    paths[endpoint.path] = {
      ...paths[endpoint.path],
      [endpoint.method.toLowerCase()]: operation(name, endpoint, components),
    };
  }
  return {
    openapi: '3.1.1',
    info: {
      title: 'Innkeeper API',
      version,
      description,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: API_PREFIX, description: 'This installation.' }],
    security: [{ bearerAuth: [] }],
    tags,
    paths,
    components: {
      securitySchemes: {
        bearerAuth: {
          type: 'http',
          scheme: 'bearer',
          description: 'Token of an admin or a reseller. The abilities of the token define its permissions.',
        },
      },
      parameters,
      headers,
      responses: errorResponses(),
      schemas: components.schemas,
    },
  };
}

function operation(name: string, endpoint: Endpoint, components: SchemaComponents): Operation {
  const { summary, path, access } = endpoint;
  const { request, response } = examples[name as keyof typeof endpoints] ?? {};
  const parameters = parametersOf(endpoint);
  const requestBody = requestBodyOf(name, endpoint, request);
  const isOpen = access === 'public' || access === 'signed';
  return {
    operationId: name,
    tags: [tagOf[path.split('/')[1] ?? ''] ?? 'System'],
    summary,
    description: `${needOf(endpoint)} ${limitOf(endpoint)}`,
    ...(access.includes(':') ? { 'x-ability': access } : {}),
    ...(isOpen ? { security: [] } : {}),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(requestBody === undefined ? {} : { requestBody }),
    responses: responsesOf(endpoint, components.answerOf(name), response),
  };
}

function needOf({ access }: Endpoint): string {
  if (access === 'public') return 'Requires no token.';
  if (access === 'signed') return 'Requires no token: the link has a signature.';
  return access === 'token' ? 'Requires any valid token.' : `Requires the ability \`${access}\`.`;
}

function limitOf({ limit }: Endpoint): string {
  const { per, requests } = rateLimits[limit];
  const counted = per === 'user' ? 'user' : 'client IP address';
  return `Default rate limit: ${requests} requests per minute per ${counted}. The installation can set another limit.`;
}

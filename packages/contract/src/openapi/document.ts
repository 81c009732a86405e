import { API_PREFIX, type Endpoint, rateLimits } from '../endpoint.ts';
import { endpoints } from '../endpoints.ts';
import { examples } from './examples.ts';
import type { OpenApiDocument, Operation } from './openapi-types.ts';
import { parameters, parametersOf } from './parameters.ts';
import { requestBodyOf } from './request-body.ts';
import { errorResponses, headers, responsesOf } from './responses.ts';
import { type SchemaComponents, schemaComponents } from './schema-components.ts';

/** By the first part of a path. */
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
  { name: 'Accounts', description: 'Hosting accounts, their limits, states and usage.' },
  { name: 'Packages', description: 'Named sets of limits.' },
  { name: 'Domains', description: 'Sites of accounts, and their certificates.' },
  { name: 'Apps', description: 'Installed applications, what they are installed from, and deploys.' },
  { name: 'Databases', description: 'MySQL databases of accounts.' },
  { name: 'Cron jobs', description: 'Commands that run on a schedule.' },
  { name: 'Login links', description: 'Where a login link leads.' },
  { name: 'System', description: 'Whether the service runs, and who asks.' },
];

const description = `Creates, suspends, re-packages and terminates hosting accounts, and manages what they have.

Answers are JSON. Requests are JSON or forms; fields that are not described are ignored, and answers may get
new fields. Strings are trimmed, but for passwords, and an empty string counts as null. Timestamps are UTC
with microseconds. Records that the token does not see answer 404, like those that do not exist. Requests
are refused in this order: token, address, rate, ability, record, policy, fields.`;

/** The OpenAPI document of the API, made from the contract's table. `version` is the software's. */
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
          description: 'A token of an admin or a reseller. What it may do is the list of its abilities.',
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
  if (access === 'public') return 'Needs no token.';
  if (access === 'signed') return 'Needs no token: the link carries its own proof.';
  return access === 'token' ? 'Needs any valid token.' : `Needs the ability \`${access}\`.`;
}

function limitOf({ limit }: Endpoint): string {
  const { per, requests } = rateLimits[limit];
  const whose = per === 'user' ? 'of a user' : 'of a client’s address';
  return `Counts among the ${requests} requests a minute ${whose}, unless the installation sets another limit.`;
}

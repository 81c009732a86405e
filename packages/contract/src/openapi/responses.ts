import type { Endpoint } from '../endpoint.ts';
import type { ErrorStatus } from '../error-bodies.ts';
import { schemaReference } from './json-schema.ts';
import type { Header, JsonSchema, MediaType, Reference, ResponseObject } from './openapi-types.ts';

const count: JsonSchema = { type: 'integer', minimum: 0 };

/** Response headers, by their name in `components/headers`. */
export const headers: Record<string, Header> = {
  'X-Request-Id': {
    description: 'ID of the request in the log.',
    schema: { type: 'string', format: 'uuid' },
  },
  'X-RateLimit-Limit': { description: 'Number of requests allowed per window of one minute.', schema: count },
  'X-RateLimit-Remaining': { description: 'Number of requests left in this window.', schema: count },
  'X-RateLimit-Reset': {
    description: 'Start of the next window, in seconds since 1970-01-01 UTC (Unix time).',
    schema: count,
  },
  'Retry-After': { description: 'Seconds until the next window starts.', schema: count },
  'WWW-Authenticate': { description: 'Authentication scheme of the API.', schema: { const: 'Bearer' } },
  'Idempotent-Replayed': {
    description:
      'Present if this is the stored response to an earlier request with the same Idempotency-Key.',
    schema: { const: 'true' },
  },
  Location: { description: 'Path of the panel page.', schema: { type: 'string', format: 'uri-reference' } },
  'Set-Cookie': { description: 'Session cookie of the panel.', schema: { type: 'string' } },
  'Referrer-Policy': {
    description: 'Prevents the browser from sending the link to other sites.',
    schema: { const: 'no-referrer' },
  },
};

const message = (text: string): MediaType => ({
  schema: schemaReference('Message'),
  example: { message: text },
});
const failure: MediaType = {
  schema: schemaReference('Failure'),
  example: { message: 'Server Error', request_id: '5b0c0a9e-4a1b-4d7c-9a53-0d8d6d7f0b11' },
};
const unavailable: MediaType = {
  schema: { anyOf: [schemaReference('Message'), schemaReference('Failure')] },
  example: { message: 'The request took too long.' },
};
const unprocessable: MediaType = {
  schema: {
    anyOf: [schemaReference('ValidationError'), schemaReference('ServiceError'), schemaReference('Message')],
  },
  examples: {
    validation: {
      summary: 'The API refused one or more fields.',
      value: {
        message: 'The username field is required. (and 1 more error)',
        errors: {
          username: ['The username field is required.'],
          email: ['The email field must be a valid email address.'],
        },
      },
    },
    service: { summary: 'A limit is reached.', value: { error: 'Database limit reached (3).' } },
    change: {
      summary: 'The change is not possible.',
      value: { message: 'The account is already on this package.' },
    },
  },
};

interface ErrorResponse {
  /** Name in `components/responses`. */
  name: string;
  description: string;
  body: MediaType;
  headers?: readonly string[];
}

const errors: Record<Exclude<ErrorStatus, 400 | 405>, ErrorResponse> = {
  401: {
    name: 'Unauthenticated',
    description: 'The token is missing, unknown or revoked.',
    body: message('Unauthenticated.'),
    headers: ['WWW-Authenticate'],
  },
  403: {
    name: 'Forbidden',
    description:
      'The token lacks the ability, its IP allowlist excludes the client, or the record forbids the request.',
    body: message('This API token does not have the required permission.'),
  },
  404: {
    name: 'NotFound',
    description: 'The record does not exist, or the token cannot see it.',
    body: message('Not found.'),
  },
  409: {
    name: 'Conflict',
    description: 'Another request with the same Idempotency-Key is in progress.',
    body: message('A request with this Idempotency-Key is in progress.'),
  },
  413: {
    name: 'TooLarge',
    description: 'The request body is too large.',
    body: message('The POST data is too large.'),
  },
  422: {
    name: 'Unprocessable',
    description:
      'The API refused one or more fields (`message` and `errors`), a limit is reached (`error`), or the change ' +
      'is not possible (`message`).',
    body: unprocessable,
  },
  429: {
    name: 'TooManyRequests',
    description: 'The rate limit is reached.',
    body: message('Too Many Attempts.'),
    headers: ['Retry-After', 'X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'],
  },
  500: {
    name: 'ServerError',
    description: 'Internal error, or a permanent failure on the hosting server.',
    body: failure,
  },
  503: {
    name: 'Unavailable',
    description: 'The database is unreachable, or the request timed out.',
    body: unavailable,
  },
};

/** Error responses for `components/responses`, by name. */
export function errorResponses(): Record<string, ResponseObject> {
  return Object.fromEntries(
    Object.values(errors).map(({ name, description, body, headers: names = [] }) => [
      name,
      {
        description,
        headers: headerReferences(['X-Request-Id', ...names]),
        content: { 'application/json': body },
      },
    ]),
  );
}

/** All responses of an endpoint, by HTTP status. */
export function responsesOf(
  endpoint: Endpoint,
  answer: JsonSchema | Reference,
  example: unknown,
): Record<string, ResponseObject | Reference> {
  const success = successOf(endpoint, answer, example);
  const responses: Record<string, ResponseObject | Reference> = { [endpoint.status]: success };
  for (const status of endpoint.errors) {
    if (status === 400 || status === 405) continue;
    const { name, description, body } = errors[status];
    responses[status] = endpoint.alsoAnswers?.includes(status)
      ? {
          ...success,
          description,
          content: { 'application/json': { schema: { anyOf: [answer, body.schema] } } },
        }
      : { $ref: `#/components/responses/${name}` };
  }
  return responses;
}

function successOf(endpoint: Endpoint, answer: JsonSchema | Reference, example: unknown): ResponseObject {
  const limits = ['X-Request-Id', 'X-RateLimit-Limit', 'X-RateLimit-Remaining'];
  if (endpoint.response === null) {
    return {
      description: 'Redirect to a page of the panel, with a new session.',
      headers: headerReferences([...limits, 'Location', 'Set-Cookie', 'Referrer-Policy']),
    };
  }
  return {
    description: endpoint.status === 201 ? 'Created.' : 'Success.',
    headers: headerReferences(endpoint.method === 'GET' ? limits : [...limits, 'Idempotent-Replayed']),
    content: { 'application/json': { schema: answer, ...(example === undefined ? {} : { example }) } },
  };
}

function headerReferences(names: readonly string[]): Record<string, Reference> {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

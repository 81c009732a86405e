import type { Endpoint } from '../endpoint.ts';
import type { ErrorStatus } from '../error-bodies.ts';
import { schemaReference } from './json-schema.ts';
import type { Header, JsonSchema, MediaType, Reference, ResponseObject } from './openapi-types.ts';

const count: JsonSchema = { type: 'integer', minimum: 0 };

/** Headers of answers, by the names under `components/headers`. */
export const headers: Record<string, Header> = {
  'X-Request-Id': {
    description: 'Names the request in the log.',
    schema: { type: 'string', format: 'uuid' },
  },
  'X-RateLimit-Limit': { description: 'Requests that the window of a minute admits.', schema: count },
  'X-RateLimit-Remaining': { description: 'Requests that the window still admits.', schema: count },
  'X-RateLimit-Reset': { description: 'When the next window begins, in seconds since 1970.', schema: count },
  'Retry-After': { description: 'Seconds until the next window begins.', schema: count },
  'WWW-Authenticate': { description: 'The scheme of the tokens.', schema: { const: 'Bearer' } },
  'Idempotent-Replayed': {
    description: 'Sent when this is the kept answer of an earlier request with the same Idempotency-Key.',
    schema: { const: 'true' },
  },
  Location: { description: 'The page of the panel.', schema: { type: 'string', format: 'uri-reference' } },
  'Set-Cookie': { description: 'The session.', schema: { type: 'string' } },
  'Referrer-Policy': { description: 'Keeps the link to itself.', schema: { const: 'no-referrer' } },
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
      summary: 'Fields were refused.',
      value: {
        message: 'The username field is required. (and 1 more error)',
        errors: {
          username: ['The username field is required.'],
          email: ['The email field must be a valid email address.'],
        },
      },
    },
    service: { summary: 'A count is used up.', value: { error: 'Database limit reached (3).' } },
    change: {
      summary: 'The change cannot be made.',
      value: { message: 'The account is already on this package.' },
    },
  },
};

interface ErrorResponse {
  /** Under `components/responses`. */
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
    description: 'The token lacks the ability, may not be used from this address, or the record forbids it.',
    body: message('This API token does not have the required permission.'),
  },
  404: {
    name: 'NotFound',
    description: 'There is no such record, or the token does not see it.',
    body: message('Not found.'),
  },
  409: {
    name: 'Conflict',
    description: 'A request with the same Idempotency-Key is under way.',
    body: message('A request with this Idempotency-Key is in progress.'),
  },
  413: {
    name: 'TooLarge',
    description: 'The body is too large.',
    body: message('The POST data is too large.'),
  },
  422: {
    name: 'Unprocessable',
    description:
      'Fields were refused (`message` and `errors`), a limit is reached (`error`), or the change cannot be ' +
      'made (`message`).',
    body: unprocessable,
  },
  429: {
    name: 'TooManyRequests',
    description: 'The rate limit is reached.',
    body: message('Too Many Attempts.'),
    headers: ['Retry-After', 'X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'],
  },
  500: { name: 'ServerError', description: 'A defect, or a node that refused for good.', body: failure },
  503: {
    name: 'Unavailable',
    description: 'The database cannot be reached, or the request took too long.',
    body: unavailable,
  },
};

/** For `components/responses`. */
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

/** Every response of an endpoint, by status. */
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
      description: 'The way to the page, with a session.',
      headers: headerReferences([...limits, 'Location', 'Set-Cookie', 'Referrer-Policy']),
    };
  }
  return {
    description: endpoint.status === 201 ? 'Created.' : 'Done.',
    headers: headerReferences(endpoint.method === 'GET' ? limits : [...limits, 'Idempotent-Replayed']),
    content: { 'application/json': { schema: answer, ...(example === undefined ? {} : { example }) } },
  };
}

function headerReferences(names: readonly string[]): Record<string, Reference> {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

import type { HttpBindings } from '@hono/node-server';
import { API_PREFIX, type Endpoint, errorBodies } from '@innkeeper/contract';
import type { Hono } from 'hono';
import type { Env } from '../src/http/env.ts';

export interface Question {
  method?: string;
  /** Path below /api/v1. */
  path: string;
  token?: string | undefined;
  /** A string is sent unchanged; anything else as JSON. */
  body?: unknown;
  headers?: Record<string, string>;
  address?: string;
}

export interface Reply {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: JSON of any shape, which the test looks into.
  body: any;
  headers: Headers;
}

/** Sends a request to an app, like a client on the network. */
export async function ask(app: Hono<Env>, question: Question): Promise<Reply> {
  const { method = 'GET', path, token, body, headers, address = '192.0.2.1' } = question;
  const incoming = { socket: { remoteAddress: address } };
  const response = await app.request(
    API_PREFIX + path,
    {
      method,
      headers: {
        ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    },
    { incoming } as HttpBindings,
  );
  const text = await response.text();
  return { status: response.status, body: text === '' ? '' : JSON.parse(text), headers: response.headers };
}

/** Returns the path of an endpoint with `id` for its record, and with `parts` for its other parameters. */
export function pathOf(
  endpoint: Endpoint,
  id: number | string = 1,
  parts: Readonly<Record<string, string>> = {},
): string {
  return endpoint.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => parts[name] ?? String(id));
}

/** Throws unless the reply matches the contract of the endpoint: its status, and the shape of its body. */
export function requireInContract(endpoint: Endpoint, { status, body }: Reply): void {
  const usual = status === endpoint.status || endpoint.alsoAnswers?.some((other) => other === status);
  if (usual) {
    if (endpoint.response === null) expectNothing(body);
    else endpoint.response.parse(body);
    return;
  }
  const known = endpoint.errors.find((error) => error === status);
  if (known === undefined)
    throw new Error(`${endpoint.path} does not answer ${status}: ${JSON.stringify(body)}`);
  errorBodies[known].parse(body);
}

function expectNothing(body: unknown): void {
  if (body !== '') throw new Error(`A body was not expected: ${JSON.stringify(body)}`);
}

import type { HttpBindings } from '@hono/node-server';
import { API_PREFIX, type Endpoint, errorBodies } from '@innkeeper/contract';
import type { Hono } from 'hono';
import type { Env } from '../src/http/env.ts';

export interface Question {
  method?: string;
  /** Below /api/v1. */
  path: string;
  token?: string | undefined;
  /** Sent as JSON, or as it is when it is a string. */
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

/** Asks an app as a client on the network would. */
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

/** A path of an endpoint with `id` for its record, and `parts` for what else it leaves open. */
export function pathOf(
  endpoint: Endpoint,
  id: number | string = 1,
  parts: Readonly<Record<string, string>> = {},
): string {
  return endpoint.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => parts[name] ?? String(id));
}

/** Throws unless the reply is what the contract says of the endpoint: its status, and the body's shape. */
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

import { API_PREFIX, type Endpoint, endpoints, errorBodies } from '@innkeeper/contract';
import { requireInContract } from '../ask.ts';
import type { WireRequest } from './render.ts';
import type { WireReply } from './send.ts';

const table = Object.values<Endpoint>(endpoints);
/** Text that an answer contains only if it leaks internals of the service. */
const INSIDE = /node_modules|\.ts:\d+|\bat \w+ \(|\bSELECT\b.*\bFROM\b|ER_[A-Z_]{4,}|ECONNREFUSED/;

/** Returns the fault of an answer as a sentence. Undefined: there is none. */
export function faultOf(request: WireRequest, reply: WireReply): string | undefined {
  try {
    judge(request, reply);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

function judge(request: WireRequest, { status, headers, text }: WireReply): void {
  if (status >= 500) throw new Error(`It answers ${status}: ${text.slice(0, 300)}`);
  if (INSIDE.test(text)) throw new Error(`It shows its inside: ${text.slice(0, 300)}`);
  if (status === 400) {
    // Invalid HTTP is refused before the app: by the runtime without a body, or by the server's listener.
    if (text !== '') errorBodies[400].parse(JSON.parse(text));
    return;
  }
  for (const [name, value] of Object.entries(expectedHeaders)) {
    if (!value.test(String(headers[name]))) throw new Error(`${status} has ${name}: ${headers[name]}`);
  }
  if (isPage(request, { status, headers })) return;
  if (status < 400 && !/^\d+$/.test(String(headers['x-ratelimit-remaining'])))
    throw new Error(`${status} without a rate limit`);
  if (status === 401 && headers['www-authenticate'] !== 'Bearer') throw new Error('401 without a scheme');
  if (status === 405 && headers.allow === undefined) throw new Error('405 without Allow');
  const isEmpty = request.method === 'HEAD' || status === 302;
  if (isEmpty !== (text === ''))
    throw new Error(`${status} has the body ${JSON.stringify(text.slice(0, 99))}`);
  if (status !== 302 && headers['content-type'] !== 'application/json')
    throw new Error(`${status} is ${headers['content-type']}`);
  requireShape(endpointOf(request), { status, body: isEmpty ? '' : JSON.parse(text) });
}

/**
 * Paths outside of the API belong to the panel, for clients without a token. The panel's own tests check its answers.
 */
function isPage(request: WireRequest, { status, headers }: Omit<WireReply, 'text'>): boolean {
  if (request.headers.Authorization !== undefined || /^\/api(\/|$)/.test(pathnameOf(request))) return false;
  if (status === 303) return headers.location?.startsWith('/login') === true;
  return headers['content-type']?.toLowerCase() === 'text/html; charset=utf-8';
}

const expectedHeaders = {
  'x-request-id': /^[0-9a-f-]{36}$/,
  'x-content-type-options': /^nosniff$/,
  'cache-control': /^no-store$/,
};

function requireShape(
  endpoint: Endpoint | undefined,
  { status, body }: { status: number; body: unknown },
): void {
  if (body === '') {
    const known = endpoint === undefined ? [404, 405] : [endpoint.status, ...endpoint.errors];
    if (!known.some((expected) => expected === status)) throw new Error(`It does not answer ${status}.`);
  } else if (endpoint !== undefined) requireInContract(endpoint, { status, body, headers: new Headers() });
  else if (status === 404 || status === 405) errorBodies[status].parse(body);
  else throw new Error(`What no endpoint is there for is answered with ${status}: ${JSON.stringify(body)}`);
}

/** Returns the endpoint of a request, if its path matches one. */
function endpointOf(request: WireRequest): Endpoint | undefined {
  const parts = pathnameOf(request)
    .replace(/(.)\/$/, '$1')
    .split('/');
  const asked = request.method === 'HEAD' ? 'GET' : request.method;
  const fits = table.filter((endpoint) => {
    const template = (API_PREFIX + endpoint.path).split('/');
    return (
      endpoint.method === asked &&
      template.length === parts.length &&
      template.every((part, index) => (part.startsWith('{') ? parts[index] !== '' : part === parts[index]))
    );
  });
  return fits.toSorted((a, b) => placeholders(a) - placeholders(b))[0];
}

const placeholders = ({ path }: Endpoint) => path.split('{').length;

/** Returns the path after `..` is resolved, encoded or not. */
function pathnameOf({ path }: WireRequest): string {
  return decode(new URL(path.startsWith('/') ? `http://x${path}` : path).pathname);
}

/** Decodes like the router: invalid encoding stays unchanged, and an encoded slash is not a slash. */
function decode(pathname: string): string {
  return pathname.replaceAll(/(?:%[0-9a-f]{2})+/gi, (encoded) => {
    try {
      return decodeURI(encoded);
    } catch {
      return encoded;
    }
  });
}

import type { Context, Handler } from 'hono';
import type { Env } from './env.ts';
import { HttpError } from './error-response.ts';

/** Handles an existing path with an unsupported method. */
export function methodNotAllowed(methods: readonly string[]): Handler<Env> {
  const supported = methods.join(', ');
  return (c) => {
    throw new HttpError(
      405,
      `The ${c.req.method} method is not supported for route ${routeName(c)}. Supported methods: ${supported}.`,
      { Allow: supported },
    );
  };
}

/** The error for a path without a route. */
export function routeNotFound(c: Context<Env>): HttpError {
  return new HttpError(404, `The route ${routeName(c)} could not be found.`);
}

function routeName(c: Context<Env>): string {
  return c.req.path.replaceAll(/^\/+|\/+$/g, '') || '/';
}

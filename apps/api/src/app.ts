import { Hono } from 'hono';
import type { Deps } from './deps.ts';
import { registerDocs } from './docs/register-docs.ts';
import type { Env } from './http/env.ts';
import { errorResponse } from './http/error-response.ts';
import { observeRequest } from './http/observe-request.ts';
import { registerRoutes } from './http/register-routes.ts';
import { requestDeadline } from './http/request-deadline.ts';
import { routeNotFound } from './http/unmatched.ts';
import { routes } from './routes/index.ts';

/** The REST API, where every answer is JSON, whatever the request accepts; and the page that describes it. */
export function createApp(deps: Deps): Hono<Env> {
  const app = new Hono<Env>({ strict: false });
  app.use(observeRequest(deps), requestDeadline(deps.requestTimeoutMs));
  registerRoutes(app, deps, routes);
  registerDocs(app);
  app.notFound((c) => errorResponse(routeNotFound(c), c.var.requestId));
  app.onError((error, c) => errorResponse(error, c.var.requestId));
  return app;
}

import { answerError, answerMissingPage, createPanel, type PanelEnv } from '@innkeeper/panel';
import { type Context, Hono, type MiddlewareHandler, type NotFoundHandler } from 'hono';
import type { Deps } from './deps.ts';
import { registerDocs } from './docs/register-docs.ts';
import type { Env } from './http/env.ts';
import { errorResponse } from './http/error-response.ts';
import { registerPushHooks } from './http/push-hooks.ts';
import { registerRoutes } from './http/register-routes.ts';
import { observeRequest } from './http/request/observe-request.ts';
import { requestDeadline } from './http/request/request-deadline.ts';
import { routeNotFound } from './http/unmatched.ts';
import { routes } from './routes/index.ts';

/**
 * No panel page is below this path. Unknown API versions, and paths that leave it with `..`, are answered in JSON too.
 */
const API_ROOT = '/api';

/**
 * Creates the app: the REST API, where every answer is JSON, whatever the request accepts; the page that describes the
 * API; and the panel for all other paths.
 */
export function createApp(deps: Deps): Hono<Env> {
  const app = new Hono<Env>({ strict: false });
  app.use(observeRequest(deps), requestDeadline(deps.requestTimeoutMs));
  registerRoutes(app, deps, routes);
  registerDocs(app);
  registerPushHooks(app, deps);
  app.all(`${API_ROOT}/*`, (c) => {
    throw routeNotFound(c);
  });
  app.use(tellPrograms, markPages);
  app.route('/', createPanel(deps));
  app.notFound(answerMissingPage as unknown as NotFoundHandler<Env>);
  app.onError((error, c) =>
    c.var.isPage
      ? answerError(error, c as unknown as Context<PanelEnv>)
      : errorResponse(error, c.var.requestId),
  );
  return app;
}

/** Browsers send a cookie. A client that sends a token has the wrong API address and does not read HTML pages. */
const tellPrograms: MiddlewareHandler<Env> = async (c, next) => {
  if (c.req.header('Authorization') !== undefined) throw routeNotFound(c);
  await next();
};

/** Applies also to errors that the panel did not answer itself, such as an exceeded deadline. */
const markPages: MiddlewareHandler<Env> = async (c, next) => {
  c.set('isPage', true);
  await next();
};

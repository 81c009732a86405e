import { answerError, answerMissingPage, createPanel, type PanelEnv } from '@innkeeper/panel';
import { type Context, Hono, type MiddlewareHandler, type NotFoundHandler } from 'hono';
import type { Deps } from './deps.ts';
import { registerDocs } from './docs/register-docs.ts';
import type { Env } from './http/env.ts';
import { errorResponse } from './http/error-response.ts';
import { registerRoutes } from './http/register-routes.ts';
import { observeRequest } from './http/request/observe-request.ts';
import { requestDeadline } from './http/request/request-deadline.ts';
import { routeNotFound } from './http/unmatched.ts';
import { routes } from './routes/index.ts';

/** No page is below it: other versions of the API, and paths that lead out of it by `..`, are answered in JSON too. */
const API_ROOT = '/api';

/**
 * The REST API, where every answer is JSON, whatever the request accepts; the page that describes it; and for all
 * other paths the panel.
 */
export function createApp(deps: Deps): Hono<Env> {
  const app = new Hono<Env>({ strict: false });
  app.use(observeRequest(deps), requestDeadline(deps.requestTimeoutMs));
  registerRoutes(app, deps, routes);
  registerDocs(app);
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

/** Browsers bring a cookie; who brings a token has the wrong address of the API, and does not read pages. */
const tellPrograms: MiddlewareHandler<Env> = async (c, next) => {
  if (c.req.header('Authorization') !== undefined) throw routeNotFound(c);
  await next();
};

/** Also of an error that the panel did not answer itself, such as a deadline that passed. */
const markPages: MiddlewareHandler<Env> = async (c, next) => {
  c.set('isPage', true);
  await next();
};

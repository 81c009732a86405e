import { openApiDocument } from '@innkeeper/contract';
import type { Handler, Hono } from 'hono';
import packageJson from '../../package.json' with { type: 'json' };
import type { Env } from '../http/env.ts';
import { methodNotAllowed } from '../http/unmatched.ts';
import { contentSecurityPolicy, DOCUMENT_PATH, html, startScript } from './page.ts';
import { staticText } from './static-text.ts';
import swaggerUi from './swagger-ui.embed.ts';

const documents: Record<string, Handler<Env>> = {
  [DOCUMENT_PATH]: staticText('application/json', () =>
    JSON.stringify(openApiDocument({ version: packageJson.version })),
  ),
  '/docs': staticText('text/html; charset=utf-8', () => html, {
    'Content-Security-Policy': contentSecurityPolicy,
  }),
  '/docs/start.js': staticText('text/javascript; charset=utf-8', () => startScript),
  '/docs/swagger-ui.js': staticText('text/javascript; charset=utf-8', () => swaggerUi.script),
  '/docs/swagger-ui.css': staticText('text/css; charset=utf-8', () => swaggerUi.style),
};

/**
 * Registers the OpenAPI document and a page that shows it. Both are public: they contain nothing about this
 * installation.
 */
export function registerDocs(app: Hono<Env>): void {
  for (const [path, handler] of Object.entries(documents)) {
    app.get(path, async (c, next) => {
      c.set('route', path);
      return await handler(c, next);
    });
    app.all(path, methodNotAllowed(['GET', 'HEAD']));
  }
}

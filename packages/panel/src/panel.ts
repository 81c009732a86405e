import type { Action } from '@innkeeper/domain';
import { Hono } from 'hono';
import { routePath } from 'hono/route';
import { registerBrandFiles } from './assets/brand-files.ts';
import { registerAssets } from './assets/register-assets.ts';
import type { PanelDeps } from './deps.ts';
import type { AsCustomer, Panel, PanelContext, PanelEnv } from './env.ts';
import { registerAsCustomer } from './http/as-customer.ts';
import { guardForms } from './http/csrf.ts';
import { readForms } from './http/form.ts';
import { pageHeaders } from './http/page-headers.ts';
import { actionOf, limitWrites, recogniseSession } from './http/session.ts';
import { recogniseLanguage } from './language/language.ts';
import { registerPages } from './pages/index.ts';
import { answerExpiredForm } from './pages/unsent/register.ts';
import { answerError, answerMissingPage } from './ui/error-page.tsx';

/**
 * Creates the panel: HTML pages, rendered on the server, that call the same services as the REST routes. Mount it at
 * `/` behind a step that gives every request its id, its client's address and a deadline.
 */
export function createPanel(deps: PanelDeps): Panel {
  const panel = new Hono<PanelEnv>({ strict: false });
  const actionOfForm = (path: string) => actionOfRoute(panel, path);
  panel.onError(answerError);
  panel.notFound(answerMissingPage);
  registerAssets(panel);
  panel.use('*', async (c, next) => {
    const { socket } = c.env.incoming;
    const { asCustomer } = c.env;
    if (asCustomer !== undefined) takeOver(c, asCustomer);
    c.set('deps', deps);
    c.set('actionOfForm', actionOfForm);
    c.set(
      'isSecure',
      deps.isSecure(socket.remoteAddress, 'encrypted' in socket, c.req.header('X-Forwarded-Proto')),
    );
    c.set('route', 'panel');
    await next();
    if (c.var.route !== 'panel') return;
    const path = routePath(c, -1);
    const route = path.endsWith('*') ? undefined : path;
    c.set('route', route);
    asCustomer?.noteRoute(route);
  });
  registerBrandFiles(panel);
  panel.use('*', pageHeaders(), recogniseLanguage());
  registerAsCustomer(panel);
  panel.use(
    '*',
    recogniseSession(),
    limitWrites(),
    readForms(),
    guardForms({ onExpired: answerExpiredForm }),
  );
  registerPages(panel);
  return panel;
}

/** A request below `/as` arrives a second time, without its prefix. */
function takeOver(c: PanelContext, asCustomer: AsCustomer): void {
  const { requestId, address, extendDeadline } = asCustomer.request;
  c.set('requestId', requestId);
  c.set('address', address);
  c.set('extendDeadline', extendDeadline);
  c.set('asCustomer', asCustomer);
}

function actionOfRoute(panel: Panel, path: string): Action | undefined {
  const [pathname = ''] = path.split('?');
  const [handlers] = panel.router.match('POST', pathname);
  for (const [[handler]] of handlers) {
    const action = actionOf(handler);
    if (action !== undefined) return action;
  }
  return undefined;
}

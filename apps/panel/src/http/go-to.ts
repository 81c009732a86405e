import type { PanelContext } from '../env.ts';

/** The page after a form. A script that asked is told where to go, a browser is led there. */
export function goTo(c: PanelContext, path: string): Response {
  if (c.req.header('HX-Request') !== undefined) {
    c.header('HX-Redirect', path);
    return c.body(null, 204);
  }
  return c.redirect(path, 303);
}

import type { PanelContext } from '../env.ts';

/** Redirects after a form: by an htmx header for a script request, else by 303. */
export function goTo(c: PanelContext, path: string): Response {
  if (c.req.header('HX-Request') !== undefined) {
    c.header('HX-Redirect', path);
    return c.body(null, 204);
  }
  return c.redirect(path, 303);
}

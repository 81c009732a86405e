import type { PanelContext } from '../env.ts';
import { clearCookie, customerPath, readCookie, setCookie } from './cookies.ts';

const LIFETIME_S = 60;
const MAX_CHARACTERS = 500;

/** Redirects after a form. An operator who is logged in as a customer stays within the customer's pages. */
export function goTo(c: PanelContext, path: string): Response {
  const { asCustomer } = c.var;
  return leaveTo(c, asCustomer === undefined ? path : customerPath(asCustomer.session_id) + path);
}

/** Redirects to a page of the browser's own session: by a header for a script request, else by 303. */
export function leaveTo(c: PanelContext, path: string): Response {
  if (c.req.header('X-Panel-Script') !== undefined) {
    c.header('X-Panel-Location', path);
    return c.body(null, 204);
  }
  return c.redirect(path, 303);
}

/** Redirects to a page that shows the message once. Never use it for secrets. */
export function goToWithNotice(c: PanelContext, path: string, sentence: string): Response {
  noteForNextPage(c, sentence);
  return goTo(c, path);
}

/** The next page shows the message once, also if this request ends with an error page. Never use it for secrets. */
export function noteForNextPage(c: PanelContext, sentence: string): void {
  setCookie(c, 'notice', sentence.slice(0, MAX_CHARACTERS), LIFETIME_S);
}

/** Reads and clears the message of the previous page. */
export function takeNotice(c: PanelContext): string | undefined {
  const sentence = readCookie(c, 'notice');
  if (sentence === undefined || sentence === '') return undefined;
  clearCookie(c, 'notice');
  return sentence.slice(0, MAX_CHARACTERS);
}

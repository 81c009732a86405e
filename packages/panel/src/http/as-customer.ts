import { DomainError } from '@innkeeper/domain';
import { findSession, type SessionIdentity } from '@innkeeper/services';
import type { AsCustomer, Panel, PanelContext } from '../env.ts';
import { textsFor } from '../language/language.ts';
import { uiTexts } from '../ui/texts/index.ts';
import { customerPath, readCookie, readCustomerCookie, setCustomerCookie } from './cookies.ts';
import { goToWithNotice } from './redirect.ts';
import { leadToSignIn } from './session.ts';
import { httpTexts } from './texts/index.ts';

/** Attributes of a page that are paths of the panel. JSX escapes quotes, so text of customers never looks like one. */
const PATHS =
  / (href|src|action|formaction|data-live|data-preview|data-socket|data-files)="\/(?!\/|assets\/)/g;
/** Pages of visitors, and of another session. */
const ELSEWHERE = /^\/(?:login|logout|password|as)(?:\/|$)/;

/**
 * Serves the customer's pages to an operator who is logged in as the customer, below `/as/<session id>`. Other tabs of
 * the browser stay the operator's own. A request needs the cookie of this session and the session of the operator who
 * opened it. Within a page all paths are those of the customer's own panel: the prefix is added here, and to redirects
 * by `goTo`.
 */
export function registerAsCustomer(panel: Panel): void {
  panel.all('/as/:session{[1-9]\\d{0,14}}/*', async (c) => {
    const session_id = Number(c.req.param('session'));
    const prefix = customerPath(session_id);
    const url = new URL(c.req.url);
    if (url.pathname === prefix) return c.redirect(`${prefix}/`, 303);
    url.pathname = url.pathname.slice(prefix.length);
    if (c.var.asCustomer !== undefined || ELSEWHERE.test(url.pathname))
      throw new DomainError('not_found', textsFor(c, uiTexts).missingPage);
    const found = await findBoth(c, session_id);
    if (found.customer === undefined) return await leave(c, session_id, found.operator);
    c.set('signedInAs', found.customer);
    const asCustomer: AsCustomer = {
      session_id,
      operator: found.operator.user.username,
      identity: found.customer,
      find: async () => (await findBoth(c, session_id)).customer,
      request: c.var,
      noteRoute: (route) => c.set('route', route),
    };
    const { method, headers, body, signal } = c.req.raw;
    const request = new Request(url, {
      method,
      headers,
      body,
      signal,
      ...(body === null ? {} : { duplex: 'half' }),
    });
    return await withPrefix(prefix, await panel.fetch(request, { ...c.env, asCustomer }));
  });
}

type Found =
  | { customer: SessionIdentity; operator: SessionIdentity }
  | { customer: undefined; operator: SessionIdentity | undefined };

/** The customer's session is found only together with the session of the operator who opened it. */
async function findBoth(c: PanelContext, sessionId: number): Promise<Found> {
  const { db, now } = c.var.deps;
  const find = async (token: string | undefined) =>
    token === undefined ? undefined : ((await findSession(db, { token, now: now() })) ?? undefined);
  const operator = await find(readCookie(c, 'session'));
  const customer = await find(readCustomerCookie(c, sessionId));
  const isOfBoth =
    operator !== undefined &&
    customer?.session.id === sessionId &&
    customer.session.operator_session_id === operator.session.id;
  return isOfBoth ? { customer, operator } : { customer: undefined, operator };
}

/** The session has ended, belongs to another operator or never existed: the answer is the same. */
async function leave(
  c: PanelContext,
  sessionId: number,
  operator: SessionIdentity | undefined,
): Promise<Response> {
  setCustomerCookie(c, sessionId, '', { maxAgeS: 0 });
  const texts = textsFor(c, httpTexts);
  const sentence = c.req.method === 'GET' ? texts.customerSessionEnded : texts.customerFormNotSent;
  if (operator === undefined) return await leadToSignIn(c, { next: '/', sentence });
  return goToWithNotice(c, '/', sentence);
}

async function withPrefix(prefix: string, answer: Response): Promise<Response> {
  if (!(answer.headers.get('Content-Type') ?? '').startsWith('text/html')) return answer;
  const html = (await answer.text()).replaceAll(PATHS, ` $1="${prefix}/`);
  return new Response(html, answer);
}

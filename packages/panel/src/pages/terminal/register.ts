import { type TerminalRequest, terminalControl, terminalRequest } from '@innkeeper/contract';
import { DomainError } from '@innkeeper/domain';
import { type NodeChannel, openChannel } from '@innkeeper/services';
import type { BrowserSocket, Panel, PanelContext } from '../../env.ts';
import { isCertainlyOfThisSite } from '../../http/csrf.ts';
import { customer, customerContext, isStillSignedIn } from '../../http/session.ts';
import { httpTexts } from '../../http/texts/index.ts';
import { languageOf, textsFor } from '../../language/language.ts';
import { translate } from '../../language/sentences/translate.ts';
import { uiTexts } from '../../ui/texts/index.ts';
import { terminalPage } from './terminal-page.tsx';

/** How often an open terminal makes sure that its user is still signed in. */
const SESSION_CHECK_MS = 10_000;
/** Codes for the script of the page. */
const ENDED = 4000;
const REFUSED = 4001;
const LOST = 4002;
const SIGNED_OUT = 4003;
const MAX_REASON_BYTES = 123;

/** A login shell of the account in the browser. */
export function registerTerminal(panel: Panel): void {
  panel.get('/terminal', customer, (c) => terminalPage(c));
  panel.get('/terminal/socket', customer, (c) => {
    const { acceptSocket } = c.env;
    // Browsers send WebSockets to other sites, with cookies.
    if (acceptSocket === undefined || !isCertainlyOfThisSite(c))
      throw new DomainError('forbidden', textsFor(c, httpTexts).formExpired);
    const asked = terminalRequest.safeParse(c.req.query());
    if (!asked.success) throw new DomainError('not_found', textsFor(c, uiTexts).missingPage);
    return acceptSocket((socket) => void talk(c, socket, asked.data));
  });
}

/** Bytes of the browser go to the shell, and those of the shell to the browser, until one of them ends. */
async function talk(c: PanelContext, socket: BrowserSocket, asked: TerminalRequest): Promise<void> {
  const early: (string | Buffer)[] = [];
  const keep = (message: string | Buffer) => void early.push(message);
  socket.on('data', keep);
  let channel: NodeChannel;
  try {
    const ctx = { ...customerContext(c), openNodeChannel: c.var.deps.openNodeChannel };
    const program = { kind: 'terminal', ...asked } as const;
    channel = await openChannel(ctx, { account_id: ctx.actor.accountId, program });
  } catch (error) {
    const reason = error instanceof DomainError ? translate(languageOf(c), error.message) : '';
    return socket.closeWith(REFUSED, shortened(reason));
  }
  if (socket.destroyed) return void channel.destroy();
  socket.off('data', keep);

  const checks = setInterval(async () => {
    const isSignedIn = await isStillSignedIn(c).catch(() => true);
    if (!isSignedIn) socket.closeWith(SIGNED_OUT, '');
  }, SESSION_CHECK_MS);
  let isEnded = false;
  channel.on('error', () => {});
  channel.once('end', () => {
    isEnded = true;
    channel.end();
  });
  channel.once('close', () => {
    clearInterval(checks);
    if (!socket.destroyed) socket.closeWith(isEnded ? ENDED : LOST, '');
  });
  // A line that broke leaves the shell running; a tab that was closed says so before.
  socket.once('close', () => channel.destroy());

  const take = (message: string | Buffer) => {
    if (typeof message !== 'string') return void (channel.write(message) || socket.pause());
    const parsed = terminalControl.safeParse(jsonOf(message));
    if (!parsed.success) return;
    if (parsed.data.type === 'size') channel.resize(parsed.data);
    else channel.end();
  };
  for (const message of early) take(message);
  socket.on('data', take);
  channel.on('drain', () => socket.resume());
  channel.pipe(socket, { end: false });
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function shortened(reason: string): string {
  return Buffer.byteLength(reason) <= MAX_REASON_BYTES ? reason : `${reason.slice(0, 60)}…`;
}

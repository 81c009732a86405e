import { connect } from 'node:net';
import { createInterface } from 'node:readline';
import type { Answer } from '@innkeeper/protocol';
import type { Exec } from '../../node/exec.ts';
import { POSTFIX_QUEUE } from './mail-queue.ts';
import { POSTFIX_UNIT } from './postfix.ts';

/** The last test mail of this server. */
export type MailTestState = Answer<'mail-test'>;

const SOCKET = `${POSTFIX_QUEUE}/public/innkeeper`;
const DIALOG_MS = 10_000;
/** How long the outcome is looked for, and how often. */
const WATCH_FOR_MS = 120_000;
const LOOK_EVERY_MS = 1_000;
const QUEUE_ID = /queued as ([0-9A-Za-z]{6,40})/;

export interface MailTestDeps {
  readonly exec: Pick<Exec, 'run'>;
  /** The domain of the sender. Undefined: the server has no relay. */
  readonly senderDomain: () => string | undefined;
  readonly unixMs: () => number;
  readonly socket?: string;
  readonly pause?: (ms: number) => Promise<void>;
}

const NOTHING: MailTestState = { to: null, sent_at: null, state: 'none', answer: '' };

/**
 * Sends a test mail through the queue, as accounts do, and follows it in Postfix's log until the relay has answered.
 * `start` returns when the queue has the mail, or has not.
 */
export class MailTest {
  readonly #deps: MailTestDeps;
  #state: MailTestState = NOTHING;

  constructor(deps: MailTestDeps) {
    this.#deps = deps;
  }

  get state(): MailTestState {
    return this.#state;
  }

  async start(to: string): Promise<MailTestState> {
    const { unixMs, senderDomain } = this.#deps;
    const domain = senderDomain();
    if (domain === undefined) return { ...NOTHING, state: 'no-relay' };
    const sent_at = unixMs();
    this.#state = { to, sent_at, state: 'waiting', answer: '' };
    try {
      const queueId = await submit(this.#deps.socket ?? SOCKET, { to, domain, at: new Date(sent_at) });
      void this.#follow(queueId, this.#state);
    } catch (error) {
      this.#state = { to, sent_at, state: 'failed', answer: sentenceOf(error) };
    }
    return this.#state;
  }

  async #follow(queueId: string, started: MailTestState): Promise<void> {
    const { pause = wait, unixMs } = this.#deps;
    const since = started.sent_at ?? 0;
    while (this.#state.sent_at === since && unixMs() - since < WATCH_FOR_MS) {
      await pause(LOOK_EVERY_MS);
      const outcome = await this.#look(queueId, since).catch(() => undefined);
      if (this.#state.sent_at !== since) return;
      if (outcome !== undefined) this.#state = { ...started, ...outcome };
      if (outcome !== undefined && outcome.state !== 'deferred') return;
    }
  }

  async #look(queueId: string, since: number) {
    const { stdout } = await this.#deps.exec.run('/usr/bin/journalctl', [
      ...['--unit', POSTFIX_UNIT, '--output', 'cat', '--no-pager', '--quiet'],
      ...['--since', `@${Math.floor(since / 1_000) - 1}`, '--lines', '2000'],
    ]);
    return readOutcome(stdout, queueId);
  }
}

const states = { sent: 'sent', deferred: 'deferred', bounced: 'refused' } as const;

/** The newest outcome of a message in the lines of Postfix's log. Undefined: there is none yet. */
export function readOutcome(
  log: string,
  queueId: string,
): Pick<MailTestState, 'state' | 'answer'> | undefined {
  const pattern = /^([0-9A-Za-z]+): to=<.*>, .*\bstatus=(sent|deferred|bounced) \((.*)\)$/;
  const found = log
    .split('\n')
    .map((line) => pattern.exec(line))
    .findLast((match) => match?.[1] === queueId);
  const [, , status, answer = ''] = found ?? [];
  if (status === undefined) return undefined;
  return { state: states[status as keyof typeof states], answer: printable(answer) };
}

/** The SMTP dialog of submit-mail, for a mail of the server itself (uid 0). Returns the id in the queue. */
async function submit(
  path: string,
  { to, domain, at }: { to: string; domain: string; at: Date },
): Promise<string> {
  const socket = connect(path);
  socket.setTimeout(DIALOG_MS, () => socket.destroy(new Error('The mail queue did not answer.')));
  // Without a listener an error after the dialog would end the agent.
  socket.on('error', () => {});
  try {
    const lines = createInterface({ input: socket })[Symbol.asyncIterator]();
    const expect = async (code: string): Promise<string> => {
      for (;;) {
        const { value, done } = await lines.next();
        if (done === true) throw new Error('The mail queue of this server does not run.');
        if (/^\d{3}-/.test(value)) continue;
        if (!value.startsWith(code)) throw new Error(`The mail queue answered: ${printable(value)}`);
        return value;
      }
    };
    await expect('220');
    const from = `0+test=${domain}@innkeeper.invalid`;
    for (const line of ['EHLO localhost', `MAIL FROM:<${from}>`, `RCPT TO:<${to}>`]) {
      socket.write(`${line}\r\n`);
      await expect('250');
    }
    socket.write('DATA\r\n');
    await expect('354');
    socket.write(message({ to, domain, at }));
    const queueId = QUEUE_ID.exec(await expect('250'))?.[1];
    socket.end('QUIT\r\n');
    if (queueId === undefined) throw new Error('The mail queue gave no id.');
    return queueId;
  } finally {
    socket.destroySoon();
  }
}

function message({ to, domain, at }: { to: string; domain: string; at: Date }): string {
  return [
    'X-Innkeeper-Account: 0',
    `From: test@${domain}`,
    `To: ${to}`,
    'Subject: Test mail of a hosting server',
    `Date: ${at.toUTCString().replace('GMT', '+0000')}`,
    'Auto-Submitted: auto-generated',
    '',
    'This mail was sent through the queue and the relay of a hosting server.',
    'Mail of hosting accounts takes the same way.',
    '.',
    '',
  ].join('\r\n');
}

function sentenceOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return printable(
    /ENOENT|ECONNREFUSED/.test(message) ? 'The mail queue of this server does not run.' : message,
  );
}

function printable(text: string): string {
  return text.replace(/\p{Cc}/gu, ' ').slice(0, 1_000);
}

const wait = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms).unref());

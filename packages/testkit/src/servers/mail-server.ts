import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';

/** A mail that the server has received. */
interface ReceivedMail {
  from: string;
  to: string[];
  /** The whole message, with soft line breaks of quoted-printable removed and its bytes decoded. */
  text: string;
  raw: string;
  isEncrypted: boolean;
  username: string | undefined;
}

export interface TestMailServer extends AsyncDisposable {
  port: number;
  received: ReceivedMail[];
  /** Sign-ins that were tried: `username:password`. */
  signIns: string[];
  /** Answers to the next mails, before mails are accepted: an SMTP status. */
  refusals: number[];
}

export const MAIL_USERNAME = 'panel@example.com';
export const MAIL_PASSWORD = 'smtp correct horse';

/**
 * Starts a real SMTP server, by default on loopback. It wants a sign-in, over TLS or STARTTLS if `options` have a
 * certificate.
 */
export async function startMailServer(
  options: SMTPServerOptions = {},
  { host = '127.0.0.1', port = 0 }: { host?: string; port?: number } = {},
): Promise<TestMailServer> {
  const received: ReceivedMail[] = [];
  const signIns: string[] = [];
  const refusals: number[] = [];
  const server = new SMTPServer({
    allowInsecureAuth: options.key === undefined,
    authOptional: true,
    ...(options.key === undefined ? { disabledCommands: ['STARTTLS'] } : {}),
    onAuth: ({ username, password }, _session, done) => {
      signIns.push(`${username}:${password}`);
      if (username === MAIL_USERNAME && password === MAIL_PASSWORD) done(null, { user: username });
      else done(Object.assign(new Error(`no such sign-in: ${password}`), { responseCode: 535 }));
    },
    onData: (stream, session, done) => {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const status = refusals.shift();
        if (status !== undefined) {
          done(Object.assign(new Error('refused by the test'), { responseCode: status }));
          return;
        }
        const raw = Buffer.concat(chunks).toString('utf8');
        const { mailFrom, rcptTo } = session.envelope;
        received.push({
          from: mailFrom === false ? '' : mailFrom.address,
          to: rcptTo.map(({ address }) => address),
          text: decoded(raw),
          raw,
          isEncrypted: session.secure === true,
          username: typeof session.user === 'string' ? session.user : undefined,
        });
        done();
      });
    },
    ...options,
  });
  server.on('error', () => {});
  const listener = server.listen(port, host);
  await once(listener, 'listening');
  return {
    port: (listener.address() as AddressInfo).port,
    received,
    signIns,
    refusals,
    [Symbol.asyncDispose]: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

function decoded(raw: string): string {
  const bytes = raw
    .replaceAll(/=\r?\n/g, '')
    .replaceAll(/=([0-9A-F]{2})/g, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 16)));
  return Buffer.from(bytes, 'latin1').toString('utf8');
}

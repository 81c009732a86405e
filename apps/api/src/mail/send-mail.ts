import { lookup as resolve } from 'node:dns/promises';
import { isIP } from 'node:net';
import { isLoopbackAddress, isMailServerAddress } from '@innkeeper/domain';
import type { MailMessage, MailServer, SendMail, SendOutcome } from '@innkeeper/services';
import { createTransport } from 'nodemailer';

const CONNECT_MS = 10_000;
const SOCKET_MS = 20_000;
/** For one address. The lease of a mail in the outbox is longer than this for all addresses. */
const ADDRESS_MS = 30_000;
const MAX_ADDRESSES = 3;
const REASON_MAX_CHARACTERS = 200;

interface SendMailOptions {
  /** Ports that the installation allows. */
  ports: readonly number[];
  /** The name that this host gives itself in EHLO. */
  ownName: string;
  /** All addresses of a host name. */
  lookup?: (host: string) => Promise<readonly string[]>;
  /** Authorities of the mail server's certificate. Default: those of Node.js. */
  ca?: string | undefined;
}

/**
 * Sends mails over SMTP. It resolves the server's name first, checks every address, and connects to one of exactly these.
 * Certificates are verified for the name. Without encryption every address must be loopback. The mail is composed from
 * values only: no file, URL or header from elsewhere.
 */
export function createSendMail({ ports, ownName, lookup = lookUp, ca }: SendMailOptions): SendMail {
  return async (server, message) => {
    try {
      const addresses = await checkedAddresses(server, { ports, lookup });
      return await sendToFirst(addresses, server, (address) =>
        send(address, server, message, { ownName, ca }),
      );
    } catch (error) {
      return { result: 'failed', reason: reasonOf(error, server) };
    }
  };
}

async function lookUp(host: string): Promise<string[]> {
  return (await resolve(host, { all: true })).map(({ address }) => address);
}

async function checkedAddresses(
  { host, port, encryption }: MailServer,
  { ports, lookup }: Required<Pick<SendMailOptions, 'ports' | 'lookup'>>,
): Promise<readonly string[]> {
  if (!ports.includes(port)) throw new Error(`INNKEEPER_SMTP_PORTS does not allow the port ${port}.`);
  const addresses = isIP(host) === 0 ? await lookup(host) : [host];
  const refused = addresses.find((address) => !isMailServerAddress(address));
  if (refused !== undefined) throw new Error(`The address ${refused} of the mail server is not allowed.`);
  if (encryption === 'none' && !addresses.every(isLoopbackAddress))
    throw new Error('Without encryption the mail server must be on this host.');
  if (addresses.length === 0) throw new Error('The mail server has no address.');
  return addresses.slice(0, MAX_ADDRESSES);
}

/** Tries the next address only if the connection was not made, so that no mail is sent twice. */
async function sendToFirst(
  addresses: readonly string[],
  server: MailServer,
  sendTo: (address: string) => Promise<void>,
): Promise<SendOutcome> {
  let last: SendOutcome = { result: 'failed', reason: '' };
  for (const address of addresses) {
    try {
      await sendTo(address);
      return { result: 'sent' };
    } catch (error) {
      last = { result: isFinal(error) ? 'refused' : 'failed', reason: reasonOf(error, server) };
      if ((error as SmtpError).command !== 'CONN') return last;
    }
  }
  return last;
}

async function send(
  address: string,
  server: MailServer,
  { to, subject, text, html }: MailMessage,
  { ownName, ca }: Pick<SendMailOptions, 'ownName' | 'ca'>,
): Promise<void> {
  const { host, port, encryption, username, password, sender } = server;
  const transport = createTransport({
    host: address,
    port,
    name: ownName,
    secure: encryption === 'tls',
    requireTLS: encryption === 'starttls',
    ignoreTLS: encryption === 'none',
    tls: {
      rejectUnauthorized: true,
      minVersion: 'TLSv1.2',
      ...(isIP(host) === 0 ? { servername: host } : {}),
      ...(ca === undefined ? {} : { ca }),
    },
    ...(username === null ? {} : { auth: { user: username, pass: password ?? '' } }),
    connectionTimeout: CONNECT_MS,
    greetingTimeout: CONNECT_MS,
    socketTimeout: SOCKET_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  try {
    const signal = AbortSignal.timeout(ADDRESS_MS);
    const headers = { 'Auto-Submitted': 'auto-generated' };
    await transport.sendMail({ from: sender, to, subject, text, html, headers, signal });
  } finally {
    transport.close();
  }
}

interface SmtpError {
  command?: string;
  responseCode?: number;
  response?: string;
}

const ABOUT_THE_MAIL = ['MAIL FROM', 'RCPT TO', 'DATA'];

/**
 * A 5xx answer to the mail itself. One to the sign-in or to the greeting concerns the settings or the server, which an
 * admin can correct before the mail expires.
 */
function isFinal(error: unknown): boolean {
  const { command = '', responseCode = 0 } = error as SmtpError;
  return responseCode >= 500 && responseCode <= 599 && ABOUT_THE_MAIL.includes(command);
}

/** The answer of the server, or the failure of the connection. Untrusted: a server can answer with what it was sent. */
function reasonOf(error: unknown, { username, password }: MailServer): string {
  const { response } = error as SmtpError;
  let reason = response ?? (error instanceof Error ? error.message : String(error));
  const secret = password ?? '';
  const sent = [secret, `\0${username}\0${secret}`].map((text) => Buffer.from(text).toString('base64'));
  for (const word of secret === '' ? [] : [secret, ...sent]) reason = reason.replaceAll(word, '…');
  return reason.replaceAll(/[^\P{C}]+/gu, ' ').slice(0, REASON_MAX_CHARACTERS);
}

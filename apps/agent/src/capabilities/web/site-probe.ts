import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { setTimeout as delay } from 'node:timers/promises';
import { createSecureContext } from 'node:tls';

/**
 * A loopback address that is unlikely to be in an operator's server block for 127.0.0.1 (a status page). Servers that
 * listen on all addresses answer here.
 */
const ADDRESS = '127.0.0.80';
const PATH = '/.innkeeper-kind';
const TIMEOUT_MS = 5_000;
const TRIES = 3;
const PAUSE_MS = 100;
const MOST_BYTES = 1_024;
const NO_ANSWER = 'no answer: ';
/** Asks which server answers, not who it is: no authority is needed. Loading those of Node.js takes longer than a request. */
const anybody = createSecureContext({ ca: [] });

/**
 * Requests a name from nginx, and returns the answer: the site's kind and uid, `unknown`, what another server said, or
 * why there is no answer.
 */
export type AskNginx = (name: string, scheme: 'http' | 'https') => Promise<string>;

/** Retries until the answer is the wanted one: a connection may reach an nginx worker that is shutting down. */
export async function askUntil(
  ask: AskNginx,
  name: string,
  wanted: (answer: string) => boolean,
  scheme: 'http' | 'https' = 'http',
): Promise<string> {
  let answer = '';
  for (let attempt = 1; attempt <= TRIES; attempt += 1) {
    if (attempt > 1) await delay(PAUSE_MS);
    answer = await ask(name, scheme);
    if (wanted(answer)) break;
  }
  return answer;
}

/** Whether Innkeeper's server block gave this answer. */
export function isOurs(answer: string): boolean {
  return /^(?:unknown|[a-z]+ \d+)$/.test(answer);
}

export function isAnswer(answer: string): boolean {
  return !answer.startsWith(NO_ANSWER);
}

export const askNginx: AskNginx = (name, scheme) =>
  new Promise((resolve) => {
    const options = {
      host: ADDRESS,
      path: PATH,
      headers: { host: name },
      agent: false as const,
      timeout: TIMEOUT_MS,
      ...(scheme === 'https' && {
        servername: name,
        rejectUnauthorized: false,
        secureContext: anybody,
      }),
    };
    const take = (answer: IncomingMessage) => {
      let text = '';
      answer.setEncoding('latin1');
      answer.on('data', (chunk: string) => {
        text += chunk;
        if (text.length > MOST_BYTES) call.destroy(new Error('a long answer'));
      });
      answer.on('error', ({ message }) => resolve(NO_ANSWER + message));
      answer.on('end', () =>
        resolve(answer.statusCode === 200 ? text.trim() : `status ${answer.statusCode}`),
      );
    };
    const call = scheme === 'https' ? httpsRequest(options, take) : httpRequest(options, take);
    call.on('timeout', () => call.destroy(new Error(`no answer in ${TIMEOUT_MS / 1_000} s`)));
    call.on('error', ({ message }) => resolve(NO_ANSWER + message));
    call.end();
  });

import { request } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';

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

/** Requests a name from nginx, and returns the answer: `php known`, or why the answer is not ours. */
export type AskNginx = (name: string) => Promise<string>;

/** Retries until the answer is the wanted one: a connection may reach an nginx worker that is shutting down. */
export async function askUntil(ask: AskNginx, name: string, wanted: string): Promise<string> {
  let answer = '';
  for (let attempt = 1; attempt <= TRIES; attempt += 1) {
    if (attempt > 1) await delay(PAUSE_MS);
    answer = await ask(name);
    if (answer === wanted) break;
  }
  return answer;
}

export const askNginx: AskNginx = (name) =>
  new Promise((resolve) => {
    const call = request(
      { host: ADDRESS, port: 80, path: PATH, headers: { host: name }, agent: false, timeout: TIMEOUT_MS },
      (answer) => {
        let text = '';
        answer.setEncoding('latin1');
        answer.on('data', (chunk: string) => {
          text += chunk;
          if (text.length > MOST_BYTES) call.destroy(new Error('a long answer'));
        });
        answer.on('error', ({ message }) => resolve(message));
        answer.on('end', () => resolve(answer.statusCode === 200 ? text : `status ${answer.statusCode}`));
      },
    );
    call.on('timeout', () => call.destroy(new Error(`no answer in ${TIMEOUT_MS / 1_000} s`)));
    call.on('error', ({ message }) => resolve(message));
    call.end();
  });

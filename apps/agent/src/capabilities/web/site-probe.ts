import { request } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';

/**
 * Of this machine, and of no server block that an operator may have for 127.0.0.1 (a status page): what listens on all
 * addresses answers here.
 */
const ADDRESS = '127.0.0.80';
const PATH = '/.innkeeper-kind';
const TIMEOUT_MS = 5_000;
const TRIES = 3;
const PAUSE_MS = 100;
const MOST_BYTES = 1_024;

/** Asks nginx for a name, and gives what came: `php known`, or why it was no answer of ours. */
export type AskNginx = (name: string) => Promise<string>;

/** Tries again until the answer is the wanted one: a connection may meet a worker of nginx that is just leaving. */
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

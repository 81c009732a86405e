import { request } from 'node:https';

export interface TlsAnswer {
  status: number;
  body: string;
  /** SHA-256 of the presented certificate. */
  fingerprint: string;
}

/**
 * Requests a site from a hosting server over HTTPS, with a new connection. Rejects when the certificate is not valid
 * now, for the name, under the root.
 */
export function visitOverTls(address: string, name: string, rootPem: string, path = '/'): Promise<TlsAnswer> {
  return new Promise((resolve, reject) => {
    const options = { host: address, port: 443, servername: name, headers: { host: name }, path };
    const call = request({ ...options, ca: rootPem, agent: false, timeout: 10_000 }, (answer) => {
      const socket = answer.socket as import('node:tls').TLSSocket;
      const fingerprint = socket.getPeerX509Certificate()?.fingerprint256 ?? '';
      const chunks: Buffer[] = [];
      answer.on('data', (chunk: Buffer) => chunks.push(chunk));
      answer.on('error', reject);
      answer.on('end', () =>
        resolve({
          status: answer.statusCode ?? 0,
          body: Buffer.concat(chunks).toString('utf8'),
          fingerprint,
        }),
      );
    });
    call.on('timeout', () => call.destroy(new Error('no answer in 10 s')));
    call.on('error', reject);
    call.end();
  });
}

/** Permanent visitors of a site over HTTPS. */
export class TlsVisitors {
  /** Number of answers, by the certificate that was presented. */
  readonly seen = new Map<string, number>();
  readonly wrong: string[] = [];
  readonly #visits: Promise<void>[];
  #ended = false;

  constructor(address: string, name: string, rootPem: string, visitors = 3) {
    const visitor = async () => {
      while (!this.#ended) {
        try {
          const { status, fingerprint } = await visitOverTls(address, name, rootPem);
          if (status === 200) this.seen.set(fingerprint, (this.seen.get(fingerprint) ?? 0) + 1);
          else this.wrong.push(String(status));
        } catch (error) {
          this.wrong.push(String(error));
        }
      }
    };
    this.#visits = Array.from({ length: visitors }, visitor);
  }

  async end(): Promise<void> {
    this.#ended = true;
    await Promise.all(this.#visits);
  }
}

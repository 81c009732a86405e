import { type Agent, type IncomingHttpHeaders, request as startRequest } from 'node:http';
import type { WireRequest } from './render.ts';

export interface WireReply {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
}

/**
 * Sends the request unchanged. Rejects if the connection breaks, or if no answer is complete after `deadlineMs`.
 * Returns undefined if the request was aborted as intended.
 */
export async function send(
  origin: string,
  { method, path, headers, body, isAborted }: WireRequest,
  { agent, deadlineMs }: { agent: Agent; deadlineMs: number },
): Promise<WireReply | undefined> {
  const { promise, resolve, reject } = Promise.withResolvers<WireReply | undefined>();
  const { hostname, port } = new URL(origin);
  const signal = AbortSignal.timeout(deadlineMs);
  const request = startRequest({ hostname, port, method, path, headers, agent, signal }, (response) => {
    const chunks: Buffer[] = [];
    response.on('data', (chunk: Buffer) => chunks.push(chunk));
    response.once('error', reject);
    response.once('end', () =>
      resolve({
        status: response.statusCode ?? 0,
        headers: response.headers,
        text: Buffer.concat(chunks).toString(),
      }),
    );
  });
  request.once('error', (error) => (isAborted ? resolve(undefined) : reject(error)));
  if (isAborted) request.write(body?.subarray(0, body.length / 2) ?? '', () => request.destroy());
  else if (body === undefined) request.end();
  else {
    // Written before the end, so that Node.js does not add a Content-Length that the request does not have.
    request.write(body);
    request.end();
  }
  return await promise;
}

import { request } from 'node:https';
import { connect, isIP } from 'node:net';
import { isSshRepository } from '@innkeeper/domain';
import type { GitServer } from './git-server.ts';

/**
 * Error codes of connections that may succeed later. Any other error (a certificate error, for example) is permanent.
 */
const AWAY = new Set(['ECONNREFUSED', 'ECONNRESET', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH', 'EPIPE']);

/**
 * Returns whether a server is unreachable or failing. Called after Git has failed, because Git has the same exit code
 * for every error, and the messages of Git and OpenSSH are not machine-readable. Waits up to `timeoutMs` ms.
 */
export async function isGitServerAway(
  repository: string,
  server: GitServer,
  timeoutMs = 10_000,
): Promise<boolean> {
  return isSshRepository(repository)
    ? await isSshAway(server, timeoutMs)
    : await isHttpsAway(repository, server, timeoutMs);
}

/** An SSH server sends the first message. */
function isSshAway({ address, port }: GitServer, timeoutMs: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host: address, port });
    const answer = (isAway: boolean) => {
      socket.destroy();
      resolve(isAway);
    };
    socket.setTimeout(timeoutMs, () => answer(true));
    socket.once('data', () => answer(false));
    socket.once('error', () => answer(true));
    socket.once('end', () => answer(true));
  });
}

function isHttpsAway(repository: string, { host, address }: GitServer, timeoutMs: number): Promise<boolean> {
  const signal = AbortSignal.timeout(timeoutMs);
  return new Promise((resolve) => {
    const outgoing = request(
      new URL('info/refs?service=git-upload-pack', `${repository.replace(/\/$/, '')}/`),
      {
        // The checked address, whatever the name resolves to now.
        lookup: (_name, { all }, found) =>
          all === true
            ? found(null, [{ address, family: isIP(address) }])
            : found(null, address, isIP(address)),
        ...(isIP(host) === 0 ? { servername: host } : {}),
        agent: false,
        signal,
      },
      ({ statusCode = 0 }) => {
        outgoing.destroy();
        resolve(statusCode >= 500);
      },
    );
    outgoing.on('error', (error: NodeJS.ErrnoException) =>
      resolve(signal.aborted || AWAY.has(error.code ?? '')),
    );
    outgoing.end();
  });
}

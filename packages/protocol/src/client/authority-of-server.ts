import { isIP } from 'node:net';
import { connect, type TLSSocket } from 'node:tls';
import { DomainError } from '@innkeeper/domain';
import { fingerprintOf } from '../identity/fingerprint.ts';
import { splitTarget } from './target.ts';

/**
 * Returns the CA certificate, in PEM, with this fingerprint (SHA-256, hex) from the chain that the server at `target`
 * presents. Sends nothing to the server. Throws DomainError `forbidden` if the chain has no such CA, and `unavailable`
 * if the server does not answer within `timeoutMs`.
 *
 * Does not verify the server's own certificate. With the CA certificate the caller connects again, and TLS verifies it.
 */
export async function findAuthorityOfServer(
  target: string,
  fingerprint: string,
  timeoutMs: number,
): Promise<string> {
  const chain = await readChain(target, timeoutMs);
  const found = chain.find((certificate) => fingerprintOf(certificate) === fingerprint);
  if (found === undefined)
    throw new DomainError(
      'forbidden',
      `${target} is not the control plane that made this join token: no certificate it shows has the CA fingerprint ${fingerprint}. The token was not sent.`,
    );
  return `-----BEGIN CERTIFICATE-----\n${found.toString('base64').replace(/.{64}(?!$)/g, '$&\n')}\n-----END CERTIFICATE-----\n`;
}

function readChain(target: string, timeoutMs: number): Promise<Buffer[]> {
  const { host, port } = splitTarget(target);
  return new Promise((resolve, reject) => {
    const unavailable = (why: string) => {
      socket.destroy();
      reject(new DomainError('unavailable', `${target} does not answer: ${why}`));
    };
    const socket = connect(
      {
        host,
        port,
        ALPNProtocols: ['h2'],
        rejectUnauthorized: false,
        ...(isIP(host) === 0 ? { servername: host } : {}),
      },
      () => {
        const chain = certificatesOf(socket);
        socket.destroy();
        resolve(chain);
      },
    );
    socket.setTimeout(timeoutMs, () => unavailable(`nothing came within ${timeoutMs} ms.`));
    socket.on('error', (error) => unavailable(error.message));
  });
}

function certificatesOf(socket: TLSSocket): Buffer[] {
  const chain: Buffer[] = [];
  let certificate = socket.getPeerX509Certificate();
  while (certificate !== undefined && chain.length < 10) {
    chain.push(certificate.raw);
    certificate = certificate.issuerCertificate;
  }
  return chain;
}

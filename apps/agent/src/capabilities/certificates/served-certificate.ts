import { connect } from 'node:tls';

const TIMEOUT_MS = 5_000;

/**
 * Returns the SHA-256 fingerprint of the certificate that this server presents for a name; undefined when it presents
 * none.
 */
export function servedFingerprint(name: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    const socket = connect({
      host: '127.0.0.1',
      port: 443,
      servername: name,
      // The certificate is only inspected, not trusted.
      rejectUnauthorized: false,
    });
    const end = (fingerprint: string | undefined) => {
      socket.destroy();
      resolve(fingerprint);
    };
    socket.setTimeout(TIMEOUT_MS, () => end(undefined));
    socket.once('error', () => end(undefined));
    socket.once('secureConnect', () => end(socket.getPeerX509Certificate()?.fingerprint256));
  });
}

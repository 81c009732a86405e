import { createServer, type Server, type TLSSocket } from 'node:tls';
import { enrollNode } from '@innkeeper/protocol/client';
import {
  type CertificateAuthority,
  createCertificateAuthority,
  generatePrivateKeyPem,
  type JoinToken,
  loadCertificateAuthority,
  makeCsr,
  signNodeCertificate,
  signServerCertificate,
} from '@innkeeper/protocol/identity';
import { freePort } from '@innkeeper/testkit';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';

const minuteMs = 60_000;
/** TLS refused the server, or the fingerprint was missing. */
const notBelieved = /UNAVAILABLE: No connection established.*(certificate|altnames)|The token was not sent/;
const secret = 'the-secret-of-the-join-token';

async function newAuthority(): Promise<CertificateAuthority> {
  const { certificatePem, keyPem } = await createCertificateAuthority();
  return loadCertificateAuthority(certificatePem, keyPem);
}

let ours: CertificateAuthority;
let theirs: CertificateAuthority;
beforeAll(async () => {
  [ours, theirs] = [await newAuthority(), await newAuthority()];
});

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

/** Starts a TLS server that stores every received byte and answers nothing. */
async function listen(cert: string, key: string) {
  const received: Buffer[] = [];
  let connections = 0;
  const server = createServer({ cert, key, ALPNProtocols: ['h2'] }, (socket: TLSSocket) => {
    socket.on('data', (bytes: Buffer) => received.push(bytes));
    socket.on('error', () => {});
  });
  server.on('connection', () => {
    connections += 1;
  });
  servers.push(server);
  const port = await freePort();
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return {
    target: `127.0.0.1:${port}`,
    received: () => Buffer.concat(received).toString('latin1'),
    connections: () => connections,
  };
}

const tokenFor = (authority: CertificateAuthority): JoinToken => ({
  node: 'web1',
  secret,
  ca: authority.fingerprint,
  control: null,
});

describe('enrolment', () => {
  it('sends nothing to a server that does not show the CA of the token', async () => {
    const { chainPem, keyPem } = await signServerCertificate(theirs, {
      hosts: ['127.0.0.1'],
      lifetimeMs: minuteMs,
    });
    const server = await listen(chainPem, keyPem);
    await expect(enrollNode(server.target, tokenFor(ours))).rejects.toThrow(
      /is not the control plane that made this join token.*The token was not sent/,
    );
    expect(server.connections()).toBe(1);
    expect(server.received()).toBe('');
  });

  it('sends nothing to a server that shows the CA with a certificate of another one', async () => {
    const { chainPem, keyPem } = await signServerCertificate(theirs, {
      hosts: ['127.0.0.1'],
      lifetimeMs: minuteMs,
    });
    const [leaf] = chainPem.split(/(?<=-----END CERTIFICATE-----\n)/);
    const server = await listen(`${leaf}${ours.certificatePem}`, keyPem);
    await expect(enrollNode(server.target, tokenFor(ours))).rejects.toThrow(notBelieved);
    expect(server.received()).toBe('');
  });

  it('sends nothing to a node that poses as the control plane with its own certificate', async () => {
    const keyPem = generatePrivateKeyPem();
    const { certificatePem } = await signNodeCertificate(ours, { csrPem: await makeCsr(keyPem), nodeId: 1 });
    const server = await listen(certificatePem + ours.certificatePem, keyPem);
    await expect(enrollNode(server.target, tokenFor(ours))).rejects.toThrow(notBelieved);
    expect(server.received()).toBe('');
  });

  it('sends nothing to a server of the CA with another name', async () => {
    const { chainPem, keyPem } = await signServerCertificate(ours, {
      hosts: ['panel.test'],
      lifetimeMs: minuteMs,
    });
    const server = await listen(chainPem, keyPem);
    await expect(enrollNode(server.target, tokenFor(ours))).rejects.toThrow(notBelieved);
    expect(server.received()).toBe('');
  });

  it('fails with a sentence if nobody answers', async () => {
    await expect(enrollNode(`127.0.0.1:${await freePort()}`, tokenFor(ours))).rejects.toThrow(
      /does not answer: connect ECONNREFUSED/,
    );
  });

  it.each(['', 'host', 'host:0', 'host:99999', 'http://host:1', 'a b:1', 'h\n:1'])(
    'refuses the address %j',
    async (target) => {
      await expect(enrollNode(target, tokenFor(ours))).rejects.toThrow('must be HOST:PORT');
    },
  );
});

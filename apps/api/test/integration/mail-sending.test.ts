import {
  createCertificateAuthority,
  loadCertificateAuthority,
  signServerCertificate,
} from '@innkeeper/protocol/identity';
import type { MailServer } from '@innkeeper/services';
import {
  MAIL_PASSWORD,
  MAIL_USERNAME,
  startMailServer,
  type TestMailServer,
} from '@innkeeper/testkit/mail-server';
import { beforeAll, describe, expect, it } from 'vitest';
import { createSendMail } from '../../src/mail/send-mail.ts';

let ca = '';
let certificate = { key: '', cert: '' };
beforeAll(async () => {
  const authority = await createCertificateAuthority();
  ca = authority.certificatePem;
  const signed = await signServerCertificate(loadCertificateAuthority(ca, authority.keyPem), {
    hosts: ['mail.test.example'],
    lifetimeMs: 3_600_000,
  });
  certificate = { key: signed.keyPem, cert: signed.chainPem };
});

const message = {
  to: { name: 'Uma', address: 'uma@example.org' },
  subject: 'Hello',
  text: 'A text\n',
  html: '<p>A text</p>',
};
const serverAt = (port: number, more: Partial<MailServer> = {}): MailServer => ({
  host: 'mail.test.example',
  port,
  encryption: 'starttls',
  username: MAIL_USERNAME,
  password: MAIL_PASSWORD,
  sender: { name: 'Northgate, Hosting', address: 'noreply@northgate.example' },
  ...more,
});
const loopback = async () => ['127.0.0.1'];
const sender = (port: number, lookup: (host: string) => Promise<readonly string[]> = loopback) =>
  createSendMail({ ports: [port], ownName: 'panel.example.com', lookup, ca });
const secured = (secure: boolean) => startMailServer({ ...certificate, secure });
const plain = { host: 'localhost', encryption: 'none' } as const;

function expectNothing({ received, signIns }: TestMailServer): void {
  expect([received, signIns]).toEqual([[], []]);
}

describe('a mail', () => {
  it.each([
    ['STARTTLS', 'starttls', false],
    ['TLS from the first byte', 'tls', true],
  ] as const)('is sent over %s, after a sign-in', async (_, encryption, secure) => {
    await using server = await secured(secure);
    expect(await sender(server.port)(serverAt(server.port, { encryption }), message)).toEqual({
      result: 'sent',
    });
    expect(server.received).toMatchObject([
      {
        from: 'noreply@northgate.example',
        to: ['uma@example.org'],
        isEncrypted: true,
        username: MAIL_USERNAME,
      },
    ]);
    expect(server.received[0]?.raw).toMatch(/^From: "Northgate, Hosting" <noreply@northgate\.example>\r$/m);
    expect(server.received[0]?.raw).toMatch(/^Auto-Submitted: auto-generated\r$/m);
  });

  it('is sent to a server on this host without encryption', async () => {
    await using server = await startMailServer();
    expect(await sender(server.port)(serverAt(server.port, plain), message)).toEqual({ result: 'sent' });
    expect(server.received[0]?.isEncrypted).toBe(false);
  });

  it('is not sent, and no password either, if the certificate is for another name', async () => {
    await using server = await secured(false);
    const other = serverAt(server.port, { host: 'other.test.example' });
    expect(await sender(server.port)(other, message)).toMatchObject({ result: 'failed' });
    expectNothing(server);
  });

  it('is not sent, and no password either, if nobody known signed the certificate', async () => {
    await using server = await secured(true);
    const send = createSendMail({ ports: [server.port], ownName: 'panel.example.com', lookup: loopback });
    expect(await send(serverAt(server.port, { encryption: 'tls' }), message)).toMatchObject({
      result: 'failed',
    });
    expectNothing(server);
  });

  it('is not sent, and no password either, if the server does not offer STARTTLS', async () => {
    await using server = await startMailServer();
    expect(await sender(server.port)(serverAt(server.port), message)).toMatchObject({ result: 'failed' });
    expectNothing(server);
  });

  it.each([
    ['a link-local address', ['169.254.169.254']],
    ['a link-local address beside an allowed one', ['127.0.0.1', 'fe80::1']],
    ['a multicast address', ['224.0.0.25']],
    ['no address', []],
  ])('is not sent to a name with %s', async (_, addresses) => {
    await using server = await secured(false);
    const send = sender(server.port, async () => addresses);
    expect(await send(serverAt(server.port), message)).toMatchObject({
      result: 'failed',
      reason: expect.stringMatching(/address/),
    });
    expectNothing(server);
  });

  it('is not sent without encryption to another host', async () => {
    await using server = await startMailServer();
    const send = sender(server.port, async () => ['127.0.0.1', '10.0.0.25']);
    expect(await send(serverAt(server.port, { encryption: 'none' }), message)).toEqual({
      result: 'failed',
      reason: 'Without encryption the mail server must be on this host.',
    });
    expectNothing(server);
  });

  it('is not sent to a port that the installation does not allow', async () => {
    await using server = await startMailServer();
    const send = createSendMail({ ports: [587], ownName: 'panel.example.com', lookup: loopback });
    expect(await send(serverAt(server.port, plain), message)).toEqual({
      result: 'failed',
      reason: `INNKEEPER_SMTP_PORTS does not allow the port ${server.port}.`,
    });
    expectNothing(server);
  });

  it('goes to the next address of a name if the first one does not answer', async () => {
    await using server = await secured(false);
    const send = sender(server.port, async () => ['127.0.0.2', '127.0.0.1']);
    expect(await send(serverAt(server.port), message)).toEqual({ result: 'sent' });
    expect(server.received).toHaveLength(1);
  });

  it.each([
    [450, 'failed'],
    [451, 'failed'],
    [550, 'refused'],
    [554, 'refused'],
  ] as const)('that the server answers with %d has %s', async (status, result) => {
    await using server = await startMailServer();
    server.refusals.push(status);
    expect(await sender(server.port)(serverAt(server.port, plain), message)).toEqual({
      result,
      reason: `${status} refused by the test`,
    });
  });

  it('is tried again after a refused sign-in, whose reason does not contain the password', async () => {
    await using server = await startMailServer();
    const wrong = serverAt(server.port, { ...plain, password: 'wrong but secret' });
    const outcome = await sender(server.port)(wrong, message);
    expect(outcome).toMatchObject({ result: 'failed', reason: expect.stringContaining('535') });
    expect(JSON.stringify(outcome)).not.toContain('wrong but secret');
    expect(server.received).toEqual([]);
  });

  it('has no header from a name or subject', async () => {
    await using server = await startMailServer();
    const evil = 'Uma\r\nBcc: thief@example.net\r\n\r\n<b>';
    const hostile = { ...message, subject: evil, to: { name: evil, address: 'uma@example.org' } };
    expect(await sender(server.port)(serverAt(server.port, plain), hostile)).toEqual({ result: 'sent' });
    const [mail] = server.received;
    expect(mail?.to).toEqual(['uma@example.org']);
    expect(mail?.raw).not.toMatch(/^Bcc:/im);
    expect(mail?.raw.split('\r\n\r\n')[0]).not.toMatch(/^<b>/m);
  });
});

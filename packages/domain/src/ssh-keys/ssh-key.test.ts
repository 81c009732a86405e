import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { isSshKeyLine, readSshKey } from './ssh-key.ts';

const field = (bytes: Uint8Array | string) => {
  const content = Buffer.from(bytes);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(content.length);
  return Buffer.concat([length, content]);
};
const line = (type: string, ...fields: (Uint8Array | string)[]) =>
  `${type} ${Buffer.concat([type, ...fields].map(field)).toString('base64')}`;
const ed25519 = line('ssh-ed25519', Buffer.alloc(32, 7));

/** A real RSA key of this length, as OpenSSH writes it. */
function rsa(bits: number): string {
  const { n = '', e = '' } = generateKeyPairSync('rsa', { modulusLength: bits }).publicKey.export({
    format: 'jwk',
  });
  const number = (text: string) => Buffer.concat([Buffer.alloc(1), Buffer.from(text, 'base64url')]);
  return line('ssh-rsa', Buffer.from(e, 'base64url'), number(n));
}

describe('a public key', () => {
  test('is read without its comment and white space', () => {
    expect(readSshKey(`  ${ed25519}\tanna@laptop at work\n`)).toEqual({
      line: ed25519,
      type: 'ssh-ed25519',
      comment: 'anna@laptop at work',
    });
    expect(isSshKeyLine(ed25519)).toBe(true);
    expect(isSshKeyLine(`${ed25519} anna`)).toBe(false);
  });

  test('of RSA needs 2048 bits', () => {
    expect(readSshKey(rsa(2_048))).toMatchObject({ type: 'ssh-rsa' });
    expect(readSshKey(rsa(1_024))).toBe('short');
    expect(readSshKey(line('ssh-rsa', Buffer.from([1, 0, 1])))).toBe('short');
  });

  test.each([
    [
      'a private key',
      '-----BEGIN OPENSSH PRIVATE KEY-----\nabc\n-----END OPENSSH PRIVATE KEY-----',
      'private',
    ],
    ['a private key of PuTTY', 'PuTTY-User-Key-File-3: ssh-ed25519', 'private'],
    ['another format', '---- BEGIN SSH2 PUBLIC KEY ----\nAAAA', 'lines'],
    ['a PEM', '-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----', 'type'],
    ['two keys', `${ed25519}\n${ed25519}`, 'lines'],
    ['an option', `command="/bin/sh" ${ed25519}`, 'options'],
    ['an option with a comma', `no-pty,from="10.0.0.1" ${ed25519}`, 'options'],
    ['DSA', line('ssh-dss', 'x', 'y'), 'type'],
    ['a certificate', line('ssh-ed25519-cert-v01@openssh.com', 'x'), 'type'],
    ['only a type', 'ssh-ed25519', 'damaged'],
    ['other characters', 'ssh-ed25519 AAAA;x', 'damaged'],
    ['a cut key', ed25519.slice(0, -8), 'damaged'],
    ['a key of another type', `ssh-rsa ${ed25519.split(' ')[1]}`, 'damaged'],
    ['nothing', '', 'type'],
  ])('is refused as %s', (_what, text, fault) => {
    expect(readSshKey(text)).toBe(fault);
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeJoinToken, encodeJoinToken } from './join-token.ts';

const token = { node: 'web1', secret: 's'.repeat(32), ca: 'ab'.repeat(32), control: 'panel.test:8444' };

describe('a join token', () => {
  it('is read back unchanged, also with white space that a terminal added', () => {
    expect(decodeJoinToken(`\n ${encodeJoinToken(token)} \n`)).toEqual(token);
    expect(decodeJoinToken(encodeJoinToken({ ...token, control: null })).control).toBeNull();
  });

  it('is one word', () => {
    expect(encodeJoinToken(token)).toMatch(/^ikj_[A-Za-z0-9_-]+$/);
  });

  it('is refused when cut anywhere', () => {
    const text = encodeJoinToken(token);
    fc.assert(
      fc.property(fc.nat(text.length - 1), (length) => {
        expect(() => decodeJoinToken(text.slice(0, length))).toThrow('damaged');
      }),
    );
  });

  it.each([
    '',
    'ikj_',
    'ik_abc',
    `ikj_${Buffer.from('{"node":"a"}').toString('base64url')}`,
    'x'.repeat(9_999),
  ])('is refused when it is %j, without repeating it', (text) => {
    expect(() => decodeJoinToken(text)).toThrow(
      'The join token is damaged. Copy it again, whole, or make a new one with innctl.',
    );
  });
});

import { TOTP, URI } from 'otpauth';
import { expect, it } from 'vitest';
import { makeRecoveryCodes, readRecoveryCode } from './recovery-codes.ts';
import { makeTotpSecret, stepOfCode, totpUri } from './totp.ts';

/** RFC 6238, appendix B: the last six digits of its SHA-1 codes. */
const rfcSecret = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';

it.each([
  [59, '287082', 1],
  [1_111_111_109, '081804', 37_037_036],
  [20_000_000_000, '353130', 666_666_666],
])('at %d seconds the code %s belongs to step %d', (seconds, code, step) => {
  expect(stepOfCode(rfcSecret, code, new Date(seconds * 1_000))).toBe(step);
});

it('a code is valid for its own step and one step before and after', () => {
  const at = (seconds: number) => stepOfCode(rfcSecret, '287082', new Date(seconds * 1_000));
  expect([0, 29, 30, 59, 60, 89].map(at)).toEqual([1, 1, 1, 1, 1, 1]);
  expect([at(90), at(119), at(3_600)]).toEqual([undefined, undefined, undefined]);
  for (const wrong of ['', '28708', '2870820', '000000', '２８７０８２', 'abcdef', ' 287082'])
    expect(stepOfCode(rfcSecret, wrong, new Date(59_000)), wrong).toBe(undefined);
});

it('an authenticator app reads the URI, with any name', () => {
  const secret = makeTotpSecret();
  expect(secret).toMatch(/^[A-Z2-7]{32}$/);
  expect(makeTotpSecret()).not.toBe(secret);
  const read = URI.parse(totpUri(secret, 'al-ice_1'));
  expect(read).toBeInstanceOf(TOTP);
  expect(read).toMatchObject({
    issuer: 'Innkeeper',
    label: 'al-ice_1',
    period: 30,
    digits: 6,
    algorithm: 'SHA1',
  });
  const now = new Date('2026-11-21T00:37:37Z');
  const code = (read as TOTP).generate({ timestamp: now.getTime() });
  expect(stepOfCode(secret, code, now)).toBe(Math.floor(now.getTime() / 30_000));
});

it('there are ten different recovery codes, and case, spaces and dashes do not matter when they are typed', () => {
  const codes = makeRecoveryCodes();
  expect(new Set(codes).size).toBe(10);
  for (const code of codes) {
    expect(code).toMatch(/^[a-z2-7]{4}(-[a-z2-7]{4}){3}$/);
    const plain = code.replaceAll('-', '');
    for (const typed of [code, plain, ` ${code.toUpperCase()} `, code.replaceAll('-', ' ')])
      expect(readRecoveryCode(typed)).toBe(plain);
  }
  for (const none of ['', '123456', 'abcd-efgh-ijkl', `${codes[0]}a`, 'abcd-efgh-ijkl-mno1'])
    expect(readRecoveryCode(none), none).toBe(undefined);
});

import { Secret, TOTP } from 'otpauth';

/** The TOTP settings that authenticator apps assume. */
const PERIOD_SECONDS = 30;
const DIGITS = 6;
/** Tolerance for wrong clocks of phones, in periods. */
const WINDOW = 1;
const SECRET_BYTES = 20;
const ISSUER = 'Innkeeper';

/** 160 random bits in base32, as RFC 4226 recommends. */
export function makeTotpSecret(): string {
  return new Secret({ size: SECRET_BYTES }).base32;
}

/** For a QR code. Contains the secret. */
export function totpUri(secret: string, username: string): string {
  return totpOf(secret, username).toString();
}

/** Whether a text has the form of an authenticator's code. */
export function isTotpCode(text: string): boolean {
  return /^\d{6}$/.test(text);
}

/**
 * The time step (RFC 6238) of this code, from one step before to one step after now. Undefined: the code matches none.
 */
export function stepOfCode(secret: string, code: string, now: Date): number | undefined {
  if (!isTotpCode(code)) return undefined;
  const totp = totpOf(secret, '');
  const timestamp = now.getTime();
  const delta = totp.validate({ token: code, timestamp, window: WINDOW });
  return delta === null ? undefined : totp.counter({ timestamp }) + delta;
}

function totpOf(secret: string, label: string): TOTP {
  const base32 = Secret.fromBase32(secret);
  return new TOTP({
    issuer: ISSUER,
    label,
    secret: base32,
    algorithm: 'SHA1',
    digits: DIGITS,
    period: PERIOD_SECONDS,
  });
}

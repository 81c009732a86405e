/**
 * Maximum length of a Linux password in bytes. libxcrypt rejects longer ones at every login, so such an account could
 * never sign in over SSH.
 */
export const PASSWORD_MAX_BYTES = 511;

/** The error message for a password that could be stored but never used. Undefined for a usable one. */
export function passwordRefusal(password: string): string | undefined {
  return Buffer.byteLength(password) > PASSWORD_MAX_BYTES
    ? `The password field must not be greater than ${PASSWORD_MAX_BYTES} bytes.`
    : undefined;
}

/**
 * What a Linux password may have: libxcrypt refuses longer ones at every login, so such an account could
 * never sign in over SSH.
 */
export const PASSWORD_MAX_BYTES = 511;

/** The sentence that refuses a password that could be stored but never be used; undefined for others. */
export function passwordRefusal(password: string): string | undefined {
  return Buffer.byteLength(password) > PASSWORD_MAX_BYTES
    ? `The password field must not be greater than ${PASSWORD_MAX_BYTES} bytes.`
    : undefined;
}

const LOCAL = /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/i;
const HOST = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)*$/i;

/** Maximum number of characters of an address. */
export const EMAIL_MAX_CHARACTERS = 255;

/** Whether a text is an address as in RFC 5321, without quoted local parts and address literals. */
export function isEmailAddress(text: string): boolean {
  const at = text.lastIndexOf('@');
  return at > 0 && at <= 64 && LOCAL.test(text.slice(0, at)) && HOST.test(text.slice(at + 1));
}

import { domainToASCII, domainToUnicode } from 'node:url';

/**
 * A stored domain name: lowercase ASCII, no trailing dot, at least two labels, the last one alphabetic
 * or punycode. The agent lets nothing else near a configuration file.
 */
export const DOMAIN_NAME_PATTERN =
  /^(?=.{4,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+(?:[a-z]{2,63}|xn--[a-z0-9-]{0,57}[a-z0-9])$/;

/** In characters, once it is stored. */
export const DOMAIN_NAME_MAX_CHARACTERS = 253;

/** Everything ASCII that is in no host name: a URL parser would read some of it as the end of the name. */
const FOREIGN_ASCII = /[^A-Za-z0-9.\u0080-\u{10ffff}-]/u;

/** In decoded names: a label that says it is punycode and is not, and a hyphen that punycode hid at an edge. */
const UNSOUND_LABEL = /(?:^|\.)(?:xn--|-)|-(?:\.|$)/;

/**
 * The stored form of a domain name as people write it: capitals, one trailing dot and Unicode are fine.
 * Undefined for what is no fully qualified domain name.
 */
export function readDomainName(text: string): string | undefined {
  if (FOREIGN_ASCII.test(text)) return undefined;
  const name = domainToASCII(withoutTrailingDot(text));
  return DOMAIN_NAME_PATTERN.test(name) && !UNSOUND_LABEL.test(domainToUnicode(name)) ? name : undefined;
}

export function withoutTrailingDot(text: string): string {
  return text.endsWith('.') ? text.slice(0, -1) : text;
}

/** The names above a stored name that can be domains themselves, the nearest first. */
export function namesAbove(name: string): string[] {
  const labels = name.split('.');
  return labels.slice(1, -1).map((_, index) => labels.slice(index + 1).join('.'));
}

/** The labels from the last to the first: whatever lies below a name begins with its reversed name and a dot. */
export function reversedName(name: string): string {
  return name.split('.').reverse().join('.');
}

import { domainToASCII, domainToUnicode } from 'node:url';

/**
 * A stored domain name: lowercase ASCII, no trailing dot, at least two labels, the last one alphabetic or punycode. The
 * agent never writes any other name to a configuration file.
 */
export const DOMAIN_NAME_PATTERN =
  /^(?=.{4,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+(?:[a-z]{2,63}|xn--[a-z0-9-]{0,57}[a-z0-9])$/;

/** In characters of the stored form. */
export const DOMAIN_NAME_MAX_CHARACTERS = 253;

/** ASCII characters that no host name has. A URL parser would read some of them as the end of the name. */
const FOREIGN_ASCII = /[^A-Za-z0-9.\u0080-\u{10ffff}-]/u;

/** In decoded names: an invalid punycode label, and a hyphen at an edge that punycode hid. */
const UNSOUND_LABEL = /(?:^|\.)(?:xn--|-)|-(?:\.|$)/;

/**
 * The stored form of a typed domain name. Capitals, one trailing dot and Unicode are accepted. Undefined for a text
 * that is not a fully qualified domain name.
 */
export function readDomainName(text: string): string | undefined {
  if (FOREIGN_ASCII.test(text)) return undefined;
  const name = domainToASCII(withoutTrailingDot(text));
  return DOMAIN_NAME_PATTERN.test(name) && !UNSOUND_LABEL.test(domainToUnicode(name)) ? name : undefined;
}

export function withoutTrailingDot(text: string): string {
  return text.endsWith('.') ? text.slice(0, -1) : text;
}

/** The parents of a stored name that can be domains themselves, nearest first. */
export function namesAbove(name: string): string[] {
  const labels = name.split('.');
  return labels.slice(1, -1).map((_, index) => labels.slice(index + 1).join('.'));
}

/** The labels in reverse order. Every subdomain's reversed name starts with this reversed name and a dot. */
export function reversedName(name: string): string {
  return name.split('.').reverse().join('.');
}

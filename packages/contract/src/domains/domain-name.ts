import { domainToASCII, domainToUnicode } from 'node:url';
import { DOMAIN_NAME_PATTERN } from '@innkeeper/domain';
import type { FieldKind } from '../fields/index.ts';
import { sizeOf } from '../fields/size.ts';

const MAX_CHARACTERS = 253;
/** Everything ASCII that is in no host name: an URL parser would read some of it as the end of the name. */
const FOREIGN_ASCII = /[^A-Za-z0-9.\u0080-\u{10ffff}-]/u;

/** What decoding leaves of a label that says it is punycode and is not. */
const UNDECODED_LABEL = /(?:^|\.)xn--/;

/** A fully qualified domain name; read in lowercase ASCII (punycode) without a trailing dot. */
export function domainName(): FieldKind<string> {
  return {
    rules: [
      (value) => (typeof value === 'string' ? undefined : 'The :attribute field must be a string.'),
      (value) =>
        sizeOf(typeof value === 'string' ? withoutDot(value) : value, false) > MAX_CHARACTERS
          ? `The :attribute field must not be greater than ${MAX_CHARACTERS} characters.`
          : undefined,
      (value) =>
        typeof value === 'string' && !DOMAIN_NAME_PATTERN.test(storedName(value))
          ? 'The :attribute field format is invalid.'
          : undefined,
    ],
    read: (value) => storedName(String(value)),
    schema: { type: 'string', format: 'hostname', maxLength: MAX_CHARACTERS },
  };
}

/** Empty for what cannot be a host name. */
function storedName(text: string): string {
  if (FOREIGN_ASCII.test(text)) return '';
  const name = domainToASCII(withoutDot(text));
  return UNDECODED_LABEL.test(domainToUnicode(name)) ? '' : name;
}

function withoutDot(text: string): string {
  return text.endsWith('.') ? text.slice(0, -1) : text;
}

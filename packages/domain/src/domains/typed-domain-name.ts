import { domainToASCII } from 'node:url';
import { canonicalAddress } from '../network/ip-address.ts';
import { DOMAIN_NAME_MAX_CHARACTERS, readDomainName, withoutTrailingDot } from './domain-name.ts';
import { findRegistrableName } from './registrable-name.ts';

/** The rule that a typed text breaks. `part`: the piece of the text that breaks it. */
export interface DomainNameFault {
  rule:
    | 'empty'
    | 'address'
    | 'wildcard'
    | 'character'
    | 'ending'
    | 'empty_part'
    | 'hyphen'
    | 'long_part'
    | 'long'
    | 'public_suffix'
    | 'unknown';
  part: string;
}

const LABEL_MAX_CHARACTERS = 63;

/**
 * The domain name in a text that a person typed or pasted: a scheme, port, path and `www.` are removed, the rest is
 * read by `readDomainName`. `www.` stays where the rest is a public suffix (`www.co.uk`).
 */
export function readTypedDomainName(text: string): { name: string } | { fault: DomainNameFault } {
  const host = hostOf(text);
  const name = readDomainName(host);
  if (name === undefined) return { fault: faultOf(host) };
  const bare = name.startsWith('www.') ? name.slice('www.'.length) : name;
  if (findRegistrableName(bare) !== undefined) return { name: bare };
  if (findRegistrableName(name) !== undefined) return { name };
  return { fault: { rule: 'public_suffix', part: name } };
}

function hostOf(text: string): string {
  const [authority = ''] = text
    .trim()
    .replace(/^(?:[a-z][a-z0-9+.-]*:)?\/\//i, '')
    .split(/[/?#\\]/);
  return withoutTrailingDot(authority.replace(/^([^:]*|\[.*\]):\d*$/s, '$1'));
}

function faultOf(host: string): DomainNameFault {
  const fault = (rule: DomainNameFault['rule'], part = host) => ({ rule, part });
  if (host === '') return fault('empty');
  if (canonicalAddress(host.replace(/^\[(.*)\]$/, '$1')) !== undefined) return fault('address');
  if (host.startsWith('*.')) return fault('wildcard');
  const foreign = /[^A-Za-z0-9.\u0080-\u{10ffff}-]/u.exec(host)?.[0];
  if (foreign !== undefined) return fault('character', foreign);
  const labels = host.split('.');
  if (labels.includes('')) return fault('empty_part');
  const hyphened = labels.find((label) => label.startsWith('-') || label.endsWith('-'));
  if (hyphened !== undefined) return fault('hyphen', hyphened);
  // Length counts in the form that DNS stores. An invalid name has none.
  const stored = domainToASCII(host) || host;
  const long = stored.split('.').findIndex((label) => label.length > LABEL_MAX_CHARACTERS);
  if (long !== -1) return fault('long_part', labels[long]);
  if (stored.length > DOMAIN_NAME_MAX_CHARACTERS) return fault('long');
  const last = labels.at(-1) ?? '';
  if (labels.length < 2 || last.length < 2 || /\d/.test(last)) return fault('ending', last);
  return fault('unknown');
}

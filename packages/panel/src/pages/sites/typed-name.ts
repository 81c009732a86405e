import { type DomainNameFault, invalidField, readTypedDomainName } from '@innkeeper/domain';

const sentences: Readonly<Record<DomainNameFault['rule'], (part: string) => string>> = {
  empty: () => 'Enter the domain name of the site, such as example.com.',
  address: () => 'An IP address is not a domain name. Enter a name, such as example.com.',
  wildcard: () => 'A site has one name. Enter it without “*.”.',
  character: (part) =>
    `A domain name has only letters, digits, hyphens and dots. Remove ${part.trim() === '' ? 'the space' : `“${part}”`}.`,
  ending: (part) =>
    `“${part}” is not the ending of a domain name. Enter the complete name, such as example.com.`,
  empty_part: () => 'The parts of a domain name have one dot between them. Remove the other dot.',
  hyphen: (part) => `A part of a domain name cannot begin or end with a hyphen, such as “${part}”.`,
  long_part: () => 'A part of a domain name has at most 63 characters.',
  long: () => 'A domain name has at most 253 characters.',
  public_suffix: (part) =>
    `“${part}” is an ending that many owners share. Enter your name before it, such as example.${part}.`,
  unknown: () => 'This is not a valid domain name. Check its international characters.',
};

/** The domain name in the form's text. Throws `invalid` with the rule that the text breaks. */
export function readTypedName(text: string): string {
  const read = readTypedDomainName(text);
  if ('name' in read) return read.name;
  throw invalidField('domain_name', sentences[read.fault.rule](read.fault.part));
}

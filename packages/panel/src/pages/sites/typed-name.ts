import { invalidField, readTypedDomainName } from '@innkeeper/domain';
import type { siteTexts } from './texts/index.ts';

/** The domain name in the form's text. Throws `invalid` with the rule that the text breaks. */
export function readTypedName(text: string, texts: typeof siteTexts.en): string {
  const read = readTypedDomainName(text);
  if ('name' in read) return read.name;
  throw invalidField('domain_name', texts.nameFaults[read.fault.rule](read.fault.part));
}

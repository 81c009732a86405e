import { canonicalRange } from './ip-address.ts';

/** Maximum number of addresses and ranges of a token. */
export const ALLOWLIST_MAX_ENTRIES = 20;

/** Maximum number of messages about wrong entries: enough to start with. */
const MAX_SENTENCES = 5;

export type AllowlistReading =
  | { entries: string[]; refused?: never }
  | { refused: string[]; entries?: never };

/**
 * Parses an allowlist as users type it: addresses and CIDR ranges separated by commas, semicolons or white space.
 * Returns the canonical entries without duplicates, or error messages, with the line number if there are several lines.
 */
export function readAllowlist(text: string): AllowlistReading {
  const lines = text.trimEnd().split(/\r\n|[\r\n]/);
  const entries = new Set<string>();
  const refused: string[] = [];
  for (const [index, line] of lines.entries()) {
    const where = lines.length === 1 ? '' : `Line ${index + 1}: `;
    for (const typed of line.split(/[\s,;]+/).filter((part) => part !== '')) {
      const entry = canonicalRange(typed);
      if (entry !== undefined) entries.add(entry);
      else if (refused.length < MAX_SENTENCES)
        refused.push(`${where}"${typed.slice(0, 50)}" is neither an IPv4 or IPv6 address nor a CIDR range.`);
    }
  }
  if (entries.size > ALLOWLIST_MAX_ENTRIES)
    refused.push(
      `An allowlist holds at most ${ALLOWLIST_MAX_ENTRIES} entries; this one has ${entries.size}.`,
    );
  return refused.length > 0 ? { refused } : { entries: [...entries] };
}

import { canonicalRange } from './ip-address.ts';

/** Addresses and ranges that a token may list. */
export const ALLOWLIST_MAX_ENTRIES = 20;

/** Sentences about this many entries are enough to begin with. */
const MAX_SENTENCES = 5;

export type AllowlistReading =
  | { entries: string[]; refused?: never }
  | { refused: string[]; entries?: never };

/**
 * Reads an allowlist as people type it: addresses and CIDR ranges separated by commas, semicolons or white
 * space. Answers the canonical entries, each once, or sentences that say what is wrong, and on which line where
 * there are several.
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

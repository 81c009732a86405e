import { canonicalRange } from './ip-address.ts';

/** Addresses and ranges that a token may list. */
export const ALLOWLIST_MAX_ENTRIES = 20;

export type AllowlistReading = { entries: string[]; refused?: never } | { refused: string; entries?: never };

/**
 * Reads an allowlist as people type it: addresses and CIDR ranges separated by commas, semicolons or white
 * space. Answers the canonical entries, each once, or the sentence that says what is wrong.
 */
export function readAllowlist(text: string): AllowlistReading {
  const entries = new Set<string>();
  for (const typed of text.split(/[\s,;]+/).filter((part) => part !== '')) {
    const entry = canonicalRange(typed);
    if (entry === undefined)
      return {
        refused: `"${typed.slice(0, 50)}" is neither an IPv4 or IPv6 address nor a CIDR range.`,
      };
    entries.add(entry);
  }
  return entries.size > ALLOWLIST_MAX_ENTRIES
    ? {
        refused: `An allowlist holds at most ${ALLOWLIST_MAX_ENTRIES} entries; this one has ${entries.size}.`,
      }
    : { entries: [...entries] };
}

import type { securityTexts } from './texts/index.ts';

/** The breadcrumb of the pages below `/security`. */
export function aboveOf({ security }: typeof securityTexts.en) {
  return [{ name: security, path: '/security' }];
}

import type { PanelContext } from '../env.ts';
import { clearCookie, readCookie, setCookie } from './cookies.ts';
import { goTo } from './go-to.ts';

const LIFETIME_S = 60;
const MAX_CHARACTERS = 500;

/** Leads to another page, which says once what was done. Secrets are not told this way. */
export function goToWithNotice(c: PanelContext, path: string, sentence: string): Response {
  setCookie(c, 'notice', encodeURIComponent(sentence.slice(0, MAX_CHARACTERS)), LIFETIME_S);
  return goTo(c, path);
}

/** What the page before had to say. */
export function takeNotice(c: PanelContext): string | undefined {
  const sentence = readCookie(c, 'notice');
  if (sentence === undefined || sentence === '') return undefined;
  clearCookie(c, 'notice');
  return sentence.slice(0, MAX_CHARACTERS);
}

import type { PanelContext } from '../env.ts';
import { clearCookie, readCookie, setCookie } from './cookies.ts';
import { goTo } from './go-to.ts';

const LIFETIME_S = 60;
const MAX_CHARACTERS = 500;

/** Redirects to a page that shows the message once. Never use it for secrets. */
export function goToWithNotice(c: PanelContext, path: string, sentence: string): Response {
  setCookie(c, 'notice', encodeURIComponent(sentence.slice(0, MAX_CHARACTERS)), LIFETIME_S);
  return goTo(c, path);
}

/** Reads and clears the message of the previous page. */
export function takeNotice(c: PanelContext): string | undefined {
  const sentence = readCookie(c, 'notice');
  if (sentence === undefined || sentence === '') return undefined;
  clearCookie(c, 'notice');
  return sentence.slice(0, MAX_CHARACTERS);
}

import { setOwnLanguage } from '@innkeeper/services';
import type { MiddlewareHandler } from 'hono';
import { languageDetector } from 'hono/language';
import type { PanelContext, PanelEnv } from '../env.ts';
import { clearCookie, readCookie, setCookie } from '../http/cookies.ts';
import { textOf } from '../http/form.ts';
import { goTo } from '../http/redirect.ts';
import { ownPath, userContext } from '../http/session.ts';

const YEAR_S = 365 * 24 * 60 * 60;

/** The panel's languages with their own names. The first one is shown to a browser that accepts none of them. */
export const languageNames = { en: 'English', de: 'Deutsch' } as const;

export type Language = keyof typeof languageNames;

/** The texts of an area in each language. English is the type of all. */
export type Texts<T> = Readonly<Record<Language, T>>;

/** Finds the language that the browser prefers (`Accept-Language`). `languageOf` also knows the user's choice. */
export function recogniseLanguage(): MiddlewareHandler<PanelEnv> {
  return languageDetector({
    order: ['header'],
    caches: false,
    supportedLanguages: Object.keys(languageNames),
    fallbackLanguage: 'en',
  });
}

/** The language that the user chose in this browser. Undefined: as the browser. */
export function chosenLanguage(c: PanelContext): Language | undefined {
  const chosen = readCookie(c, 'language');
  return isLanguage(chosen) ? chosen : undefined;
}

/** The language of the answer. */
export function languageOf(c: PanelContext): Language {
  const ofBrowser = c.get('language');
  return chosenLanguage(c) ?? (isLanguage(ofBrowser) ? ofBrowser : 'en');
}

/** An area's texts in the language of the answer, for actions and titles. A component calls `useTexts`. */
export function textsFor<T>(c: PanelContext, texts: Texts<T>): T {
  return texts[languageOf(c)];
}

/** Stores the chosen language in this browser, and for mails to the user, and returns to the page of the form. Anything else follows the browser. */
export async function chooseLanguage(c: PanelContext): Promise<Response> {
  const language = textOf(c.var.form, 'language');
  if (isLanguage(language)) setCookie(c, 'language', language, YEAR_S);
  else clearCookie(c, 'language');
  if (isLanguage(language) && c.var.signedInAs !== undefined)
    await setOwnLanguage(userContext(c), { language });
  return goTo(c, ownPath(textOf(c.var.form, 'back')));
}

function isLanguage(name: unknown): name is Language {
  return typeof name === 'string' && Object.hasOwn(languageNames, name);
}

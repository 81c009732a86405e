import { de } from './de.ts';
import { en } from './en.ts';

/** The texts of mails in each language of the panel. */
export const mailTexts = { en, de } as const;

export type MailLanguage = keyof typeof mailTexts;

export const mailLanguages = Object.keys(mailTexts) as MailLanguage[];

/** The first of the wanted languages that mails have. English if there is none. */
export function mailLanguageOf(...wanted: readonly (string | null)[]): MailLanguage {
  return wanted.find(isMailLanguage) ?? 'en';
}

function isMailLanguage(language: string | null): language is MailLanguage {
  return mailLanguages.some((one) => one === language);
}

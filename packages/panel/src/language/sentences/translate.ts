import type { Language } from '../language.ts';
import type { Catalogue } from './catalogue.ts';
import { english } from './english.ts';
import { german } from './german/index.ts';

const catalogues: Readonly<Record<Language, Catalogue>> = { en: english, de: german };

/**
 * Translates a sentence of a service or of a hosting server for the reader. Its wording is part of API v1, so the panel
 * finds the translation by it. A sentence without a translation is shown as it is. Nothing may depend on the result.
 */
export function translate(language: Language, sentence: string): string {
  return catalogues[language].translate(sentence);
}

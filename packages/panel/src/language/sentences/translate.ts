import type { Language } from '../language.ts';
import { german } from './german/index.ts';

/**
 * Translates a sentence of a service or of a hosting server for the reader. Its wording is part of API v1, so the panel
 * finds the translation by it. A sentence without a translation stays English. Nothing may depend on the result.
 */
export function translate(language: Language, sentence: string): string {
  return language === 'de' ? german.translate(sentence) : sentence;
}

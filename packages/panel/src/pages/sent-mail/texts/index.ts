import type { Texts } from '../../../language/language.ts';
import { de } from './de.ts';
import { en } from './en.ts';

export const sentMailTexts: Texts<typeof en> = { en, de };

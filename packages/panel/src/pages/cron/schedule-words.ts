import { mustMatchBothDays } from '@innkeeper/domain';
import { toString as inWords } from 'cronstrue';
import 'cronstrue/locales/de.js';
import type { Language } from '../../language/language.ts';
import type { cronTexts } from './texts/index.ts';

/** Describes a schedule from `readCronSchedule` in words: `At 03:00`. Undefined if there is no description. */
export function scheduleWords(schedule: string, language: Language): string | undefined {
  try {
    return inWords(schedule, {
      locale: language,
      use24HourTimeFormat: true,
      logicalAndDayFields: mustMatchBothDays(schedule),
    });
  } catch {
    return undefined;
  }
}

/** Common schedules for the form. */
export const commonSchedules: readonly (readonly [
  schedule: string,
  words: keyof (typeof cronTexts.en)['common'],
])[] = [
  ['* * * * *', 'everyMinute'],
  ['*/5 * * * *', 'every5'],
  ['*/15 * * * *', 'every15'],
  ['0 * * * *', 'everyHour'],
  ['0 3 * * *', 'everyDay'],
  ['0 8 * * 1-5', 'weekdays'],
  ['0 3 * * 0', 'everySunday'],
  ['0 3 1 * *', 'everyMonth'],
];

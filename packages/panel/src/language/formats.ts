import type { Language } from './language.ts';

/** Numbers, sizes and times in one language. */
export interface Formats {
  /** `12,345.6` */
  number(value: number): string;
  /** `500 MB`, `19.5 GB`. `mib`: MiB, as the API has sizes. */
  size(mib: number): string;
  /** `21 Nov 2026, 09:07 UTC` */
  moment(at: Date): string;
  /** `14 Feb`, in UTC. */
  day(at: Date): string;
  /** `6 min ago`, `in 3 days`, `just now`; more than a week away: `14 Feb`, or `14 Feb 2025` in another year. */
  relative(at: Date, now: Date): string;
}

const MIB_PER_GIB = 1024;
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const WEEK_MS = 7 * DAY_MS;

/** Locales of the languages for `Intl`. */
export const locales: Readonly<Record<Language, string>> = { en: 'en-GB', de: 'de-DE' };

/** Formatters are created once: that costs 100 times as much as using one. */
export const formats: Readonly<Record<Language, Formats>> = {
  en: formatsOf(locales.en, 'just now'),
  de: formatsOf(locales.de, 'gerade eben'),
};

function formatsOf(locale: string, justNow: string): Formats {
  const timeZone = 'UTC';
  const numbers = new Intl.NumberFormat(locale, { maximumFractionDigits: 1 });
  const moments = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short', timeZone });
  const days = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short', timeZone });
  const dates = new Intl.DateTimeFormat(locale, {
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    timeZone,
  });
  const spans = new Intl.RelativeTimeFormat(locale, { style: 'short', numeric: 'auto' });
  const number = (value: number) => numbers.format(value);
  return {
    number,
    size: (mib) => (mib < MIB_PER_GIB ? `${number(mib)} MB` : `${number(mib / MIB_PER_GIB)} GB`),
    moment: (at) => `${moments.format(at)} UTC`,
    day: (at) => days.format(at),
    relative(at, now) {
      const distanceMs = at.getTime() - now.getTime();
      const whole = (unitMs: number) => Math.trunc(distanceMs / unitMs);
      const away = Math.abs(distanceMs);
      if (away < MINUTE_MS) return justNow;
      if (away < HOUR_MS) return spans.format(whole(MINUTE_MS), 'minute');
      if (away < DAY_MS) return spans.format(whole(HOUR_MS), 'hour');
      if (away < WEEK_MS) return spans.format(whole(DAY_MS), 'day');
      return (at.getUTCFullYear() === now.getUTCFullYear() ? days : dates).format(at);
    },
  };
}

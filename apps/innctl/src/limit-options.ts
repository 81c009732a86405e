import { type Limit as LimitRow, withinSentence } from '@innkeeper/domain';
import { Option } from 'commander';
import { type Limit, limitValue } from './option-values.ts';

/** `disk space, MiB`. The label of a count and of IOPS already names the unit. */
export function limitText({ label, unit }: Pick<LimitRow, 'label' | 'unit'>): string {
  const text = withinSentence(label.en);
  return unit === 'count' || unit === 'IOPS' ? text : `${text}, ${unit}`;
}

/** `--disk-mb <n>` for `disk_mb`, without a parser. `givenLimit` reads it. */
export function limitOption(field: string, limit: Pick<LimitRow, 'label' | 'unit'>): Option {
  return new Option(`${flagOf(field)} <n>`, limitText(limit));
}

/** Null: the value is `none`. Undefined: the option is missing. */
export function givenLimit(options: object, field: string): number | null | undefined {
  const name = new Option(flagOf(field)).attributeName();
  return limitValue((options as Record<string, Limit | undefined>)[name]);
}

function flagOf(field: string): string {
  return `--${field.replaceAll('_', '-')}`;
}

import { type Limit, type LimitUnit, limits, type SettableLimit, settableLimits } from '@innkeeper/domain';
import type { Form } from '../env.ts';
import { textOf } from '../http/form.ts';
import { readSize, sizeToType } from '../language/typed-size.ts';
import { useFormats, useTexts } from '../language/use-texts.ts';
import { type FormState, TextField } from './form.tsx';
import { uiTexts } from './texts/index.ts';

/** Unit after a number. ` MiB`: a size, which is shown in MB or GB. */
const suffixes: Record<LimitUnit, string> = {
  MiB: ' MiB',
  'percent of one core': '%',
  'MiB/s': ' MB/s',
  IOPS: '',
  count: '',
};

/** A limit under the names that accounts, packages and pools use for it. */
export type LimitName = 'max_accounts' | Limit['name'] | Limit['packageField'];

const named = Object.fromEntries([
  ['max_accounts', { name: 'max_accounts', unit: 'count' }],
  ...limits.flatMap((limit) => [
    [limit.name, limit],
    [limit.packageField, limit],
  ]),
]) as Record<LimitName, { name: 'max_accounts' | Limit['name']; unit: LimitUnit }>;

/** The limits that a single account can have: all; those that it always has; and those that can be unlimited. */
export const accountFields = {
  all: settableLimits.map(({ name }) => name),
  sized: settableLimits
    .filter((limit): limit is Extract<SettableLimit, { unlimitable: false }> => !limit.unlimitable)
    .map(({ name }) => name),
  unlimitable: settableLimits
    .filter((limit): limit is Extract<SettableLimit, { unlimitable: true }> => limit.unlimitable)
    .map(({ name }) => name),
};

/** The same lists for the limits of a package. */
export const packageFields = {
  all: limits.map(({ packageField }) => packageField),
  sized: limits.filter(({ unlimitable }) => !unlimitable).map(({ packageField }) => packageField),
  unlimitable: limits.filter(({ unlimitable }) => unlimitable).map(({ packageField }) => packageField),
};

type UiTexts = typeof uiTexts.en;

/** The label of a limit, and the unit after its number. `texts`: of the language, outside components. */
export function limitNamed(
  limit: LimitName,
  texts: UiTexts = useTexts(uiTexts),
): { label: string; suffix: string } {
  const { name, unit } = named[limit];
  return { label: texts.limits[name], suffix: suffixes[unit] };
}

/** `5 GB`, `200%` or `unlimited`. For components. */
export function limitText(limit: LimitName, value: number | null): string {
  const texts = useTexts(uiTexts);
  const { number, size } = useFormats();
  if (value === null) return texts.unlimited;
  const { unit } = named[limit];
  return unit === 'MiB' ? size(value) : `${number(value)}${suffixes[unit]}`;
}

/** The label of a field: with the unit of its number, unless the unit is typed. */
function labelOf(limit: LimitName, texts: UiTexts): string {
  const { name, unit } = named[limit];
  const shown = unit === 'percent of one core' ? texts.percentOfOneCore : suffixes[unit].trim();
  return shown === '' || unit === 'MiB' ? texts.limits[name] : `${texts.limits[name]} (${shown})`;
}

/** A limit as a number. */
export function LimitField({
  state,
  limit,
  hint,
  required = false,
}: {
  state: FormState;
  limit: LimitName;
  hint?: string;
  required?: boolean;
}) {
  const texts = useTexts(uiTexts);
  const isSize = named[limit].unit === 'MiB';
  const attributes = { inputmode: isSize ? undefined : 'numeric', autocomplete: 'off', required };
  return (
    <TextField
      state={shownSize(state, limit)}
      name={limit}
      label={labelOf(limit, texts)}
      hint={isSize ? [hint, texts.sizeHint].filter((one) => one !== undefined).join(' ') : hint}
      attributes={attributes}
    />
  );
}

/** A number with a switch for unlimited: while the switch is on, the number is ignored. `unlimitedOf` reads both. */
function UnlimitableField({ state, limit }: { state: FormState; limit: LimitName }) {
  const texts = useTexts(uiTexts);
  const name = unlimitedName(limit);
  return (
    <div class="limit">
      <LimitField state={state} limit={limit} />
      <label class="limit-switch">
        <input class="toggle" type="checkbox" name={name} value="1" checked={state.values[name] === '1'} />
        {texts.unlimitedChoice}
        <span class="sr">{limitNamed(limit).label}</span>
      </label>
    </div>
  );
}

/** The name of the switch of a limit. */
function unlimitedName(limit: LimitName): string {
  return `${limit}_unlimited`;
}

/** The values of the fields and switches for limits that are known. Null is unlimited; a limit that is missing has a number to type. */
export function limitValues(values: Readonly<Partial<Record<LimitName, number | null>>>): Form {
  return Object.fromEntries(
    Object.entries(values).flatMap(([limit, value]) => [
      [limit, value ?? ''],
      [unlimitedName(limit as LimitName), value === null ? '1' : ''],
    ]),
  );
}

/** A new package and new custom limits do not limit the disk rates: few hosters sell them, and a guess would be slow. */
export const unlimitedRates: Form = limitValues({ io_read_mbps: null, io_write_mbps: null, iops: null });

/** The fields of all limits: a number for each, or a number or unlimited. */
export function LimitFields({
  state,
  fields,
}: {
  state: FormState;
  fields: { sized: readonly LimitName[]; unlimitable: readonly LimitName[] };
}) {
  return (
    <div class="two">
      {fields.sized.map((limit) => (
        <LimitField state={state} limit={limit} required />
      ))}
      {fields.unlimitable.map((limit) => (
        <UnlimitableField state={state} limit={limit} />
      ))}
    </div>
  );
}

/**
 * Reads typed sizes. Returns the form with MiB in place of a size, such as 5120 for `5 GB`. `refused` has an error for
 * each size that cannot be read.
 */
function sizesOf(
  form: Form,
  texts: UiTexts,
): { form: Record<string, unknown>; refused: Record<string, string[]> } {
  const refused: Record<string, string[]> = {};
  const read: Record<string, unknown> = { ...form };
  for (const field of Object.keys(form)) {
    const typed = textOf(form, field);
    if (!Object.hasOwn(named, field) || named[field as LimitName].unit !== 'MiB' || typed === '') continue;
    const mib = readSize(typed);
    if (mib === undefined) refused[field] = [texts.notASize(labelOf(field as LimitName, texts))];
    else read[field] = String(mib);
  }
  return { form: read, refused };
}

/** Shows a stored size, which is a number, with its unit. What the user typed stays. */
function shownSize(state: FormState, limit: LimitName): FormState {
  const value = state.values[limit];
  if (named[limit].unit !== 'MiB' || typeof value !== 'number') return state;
  return { ...state, values: { ...state.values, [limit]: sizeToType(value) } };
}

/**
 * Returns the form with null for each limit whose switch is on. `refused` has an error for each field that has neither
 * a number nor the switch.
 */
export function unlimitedOf(
  form: Form,
  fields: readonly LimitName[],
  texts: UiTexts,
): { form: Form; refused: Record<string, string[]> } {
  const { form: read, refused } = sizesOf(form, texts);
  for (const field of fields) {
    if (form[unlimitedName(field)] === '1') {
      read[field] = null;
      delete refused[field];
    } else if (textOf(form, field) === '') refused[field] = [texts.numberOrUnlimited(labelOf(field, texts))];
  }
  return { form: read, refused };
}

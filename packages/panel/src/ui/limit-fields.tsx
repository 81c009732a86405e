import {
  type FieldErrors,
  type Limit,
  type LimitUnit,
  limits,
  type SettableLimit,
  settableLimits,
} from '@innkeeper/domain';
import type { Form } from '../env.ts';
import { textOf } from '../http/form.ts';
import { CheckField, type FormState, SelectField, TextField } from './form.tsx';
import { numberText } from './numbers.ts';

/** Unit after a number. */
const suffixes: Record<LimitUnit, string> = {
  MiB: ' MiB',
  'percent of one core': '%',
  'MiB/s': ' MiB/s',
  IOPS: '',
  count: '',
};

/** A limit under the names that accounts, packages and pools use for it. */
export type LimitName = 'max_accounts' | Limit['name'] | Limit['packageField'];

const named = Object.fromEntries([
  ['max_accounts', { label: 'Accounts', unit: 'count' }],
  ...limits.flatMap((limit) => [
    [limit.name, limit],
    [limit.packageField, limit],
  ]),
]) as Record<LimitName, Pick<Limit, 'label' | 'unit'>>;

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

/** The label of a limit, and the unit after its number. */
export function limitNamed(limit: LimitName): { label: string; suffix: string } {
  const { label, unit } = named[limit];
  return { label, suffix: suffixes[unit] };
}

/** `1,000 MiB`, or `unlimited`. */
export function limitText(limit: LimitName, value: number | null): string {
  return value === null ? 'unlimited' : `${numberText(value)}${limitNamed(limit).suffix}`;
}

function labelOf(limit: LimitName): string {
  const { label, unit } = named[limit];
  return suffixes[unit] === '' ? label : `${label} (${unit})`;
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
  const attributes = { inputmode: 'numeric', autocomplete: 'off', required };
  return <TextField state={state} name={limit} label={labelOf(limit)} hint={hint} attributes={attributes} />;
}

/** A number field with a checkbox for unlimited. `unlimitedOf` reads both. */
function UnlimitableField({ state, limit }: { state: FormState; limit: LimitName }) {
  return (
    <div class="pair">
      <LimitField state={state} limit={limit} />
      <CheckField
        state={state}
        name={`${limit}_unlimited`}
        label={`Unlimited ${limitNamed(limit).label.toLowerCase()}`}
      />
    </div>
  );
}

/** The fields of all limits: a number for each, or a number or unlimited. */
export function LimitFields({
  state,
  fields,
}: {
  state: FormState;
  fields: typeof accountFields | typeof packageFields;
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
 * Returns the form with null for each limit whose checkbox is set. `refused` has an error for each field that has
 * neither a number nor the checkbox, or both.
 */
export function unlimitedOf(
  form: Form,
  fields: readonly LimitName[],
): { form: Form; refused: Record<string, string[]> } {
  const refused: Record<string, string[]> = {};
  const read: Record<string, unknown> = { ...form };
  for (const field of fields) {
    const isUnlimited = form[`${field}_unlimited`] === '1';
    const isBlank = textOf(form, field) === '';
    if (isUnlimited && isBlank) read[field] = null;
    else if (isUnlimited || isBlank)
      refused[field] = [`${labelOf(field)}: enter a number or check Unlimited.`];
  }
  return { form: read, refused };
}

/** A field for an existing limit: no change, unlimited, or a number. `changedLimitsOf` reads it. */
export function ChangedLimitField({
  state,
  limit,
  now,
}: {
  state: FormState;
  limit: LimitName;
  now: number | null;
}) {
  return (
    <div class="pair">
      <SelectField
        state={state}
        name={`${limit}_choice`}
        label={limitNamed(limit).label}
        options={[
          ['keep', `No change (${limitText(limit, now)})`],
          ['unlimited', 'Unlimited'],
          ['set', 'Custom value'],
        ]}
      />
      <LimitField state={state} limit={limit} hint="Only for “Custom value”." />
    </div>
  );
}

/** Returns the form without the unchanged limits and with null for the unlimited ones. `refused` has the errors. */
export function changedLimitsOf(
  form: Form,
  fields: readonly LimitName[],
): { form: Form; refused: FieldErrors } {
  const refused: Record<string, string[]> = {};
  const read: Record<string, unknown> = { ...form };
  for (const field of fields) {
    const isSet = form[`${field}_choice`] === 'set';
    if (isSet === (textOf(form, field) === ''))
      refused[field] = [
        isSet
          ? `${labelOf(field)}: enter a number or choose another option.`
          : `${labelOf(field)}: choose “Custom value” or leave the number empty.`,
      ];
    if (!isSet) read[field] = form[`${field}_choice`] === 'unlimited' ? null : undefined;
  }
  return { form: read, refused };
}

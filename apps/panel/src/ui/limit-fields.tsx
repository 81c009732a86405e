import type { FieldErrors } from '@innkeeper/domain';
import type { Form } from '../env.ts';
import { textOf } from '../http/form.ts';
import { CheckField, type FormState, SelectField, TextField } from './form.tsx';
import { numberText } from './numbers.ts';

/** What a limit is called, and what its number counts. */
interface Named {
  name: string;
  unit: string;
}

const disk = { name: 'Disk space', unit: ' MB' };
const bandwidth = { name: 'Bandwidth a month', unit: ' MB' };
const cpu = { name: 'CPU', unit: '%' };
const memory = { name: 'Memory', unit: ' MB' };

/** Limits under the names that accounts, packages and pools have for them. */
const limits = {
  max_accounts: { name: 'Accounts', unit: '' },
  disk_limit_mb: disk,
  disk_mb: disk,
  bandwidth_limit_mb: bandwidth,
  bandwidth_mb: bandwidth,
  cpu_limit_percent: cpu,
  cpu_percent: cpu,
  ram_limit_mb: memory,
  ram_mb: memory,
  io_read_mbps: { name: 'Reading from disk', unit: ' MB/s' },
  io_write_mbps: { name: 'Writing to disk', unit: ' MB/s' },
  iops: { name: 'Disk operations a second', unit: '' },
  max_processes: { name: 'Processes', unit: '' },
  max_domains: { name: 'Domains', unit: '' },
  max_databases: { name: 'Databases', unit: '' },
  max_apps: { name: 'Apps', unit: '' },
  max_cron_jobs: { name: 'Cron jobs', unit: '' },
} as const satisfies Record<string, Named>;

export type LimitName = keyof typeof limits;

/** Those that may be unlimited. */
export const unlimitableLimits = ['io_read_mbps', 'io_write_mbps', 'iops', 'max_processes'] as const;

export function limitNamed(limit: LimitName): Named {
  return limits[limit];
}

/** `1,000 MB`, or `unlimited`. */
export function limitText(limit: LimitName, value: number | null): string {
  return value === null ? 'unlimited' : `${numberText(value)}${limits[limit].unit}`;
}

function labelOf(limit: LimitName): string {
  const { name, unit } = limits[limit];
  if (limit === 'cpu_limit_percent' || limit === 'cpu_percent') return `${name} (percent of one core)`;
  return unit === '' ? name : `${name} (${unit.trim()})`;
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

/** A limit as a number, or the box that says that there is none. `unlimitedOf` reads it. */
export function UnlimitableField({ state, limit }: { state: FormState; limit: LimitName }) {
  return (
    <div class="pair">
      <LimitField state={state} limit={limit} />
      <CheckField
        state={state}
        name={`${limit}_unlimited`}
        label={`Unlimited ${limits[limit].name.toLowerCase()}`}
      />
    </div>
  );
}

/**
 * The form with null for each limit whose box is checked, and what is wrong with the others: neither a number nor
 * the box, or both.
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
      refused[field] = [`${labelOf(field)}: give a number, or check Unlimited.`];
  }
  return { form: read, refused };
}

/** A limit that is there already: left as it is, lifted, or set to a number. `changedLimitsOf` reads it. */
export function ChangedLimitField({
  state,
  limit,
  now,
}: {
  state: FormState;
  limit: LimitName;
  now: number | null;
}) {
  const { name } = limits[limit];
  return (
    <div class="pair">
      <SelectField
        state={state}
        name={`${limit}_choice`}
        label={name}
        options={[
          ['keep', `As it is (${limitText(limit, now)})`],
          ['unlimited', 'Unlimited'],
          ['set', 'Limited to the number here'],
        ]}
      />
      <LimitField state={state} limit={limit} hint="Only where it is limited to a number." />
    </div>
  );
}

/** The form without the limits that are kept, and with null for those that are lifted; and what is wrong with them. */
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
          ? `${labelOf(field)}: give the number, or choose another line beside it.`
          : `${labelOf(field)}: choose "Limited to the number here", or leave the number empty.`,
      ];
    if (!isSet) read[field] = form[`${field}_choice`] === 'unlimited' ? null : undefined;
  }
  return { form: read, refused };
}

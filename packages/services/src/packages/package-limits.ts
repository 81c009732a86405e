import { type AccountLimits, accountLimits, type Limit, type PackageLimits } from '@innkeeper/domain';
import type { FieldCheck } from '../field-check.ts';

type Unlimitable = Extract<Limit, { unlimitable: true }>['packageField'];

/** Sizes in MiB, rates in MiB/s, CPU in percent of one core. Null or omitted: unlimited. */
export type PackageLimitsInput = Omit<PackageLimits, Unlimitable> & Partial<Pick<PackageLimits, Unlimitable>>;

/** Checks the limits against the bounds of an account's limits. */
export function checkedLimits(check: FieldCheck, input: PackageLimitsInput): AccountLimits {
  return accountLimits((limit) => {
    const value = input[limit.packageField] ?? null;
    if (value === null && limit.unlimitable) return null;
    return check.integer(limit.packageField, value ?? Number.NaN, limit);
  });
}

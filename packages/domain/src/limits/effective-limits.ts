import { type AccountLimits, accountLimits, type Limit, type SettableLimit } from './limits.ts';

type UnlimitableLimit = Extract<Limit, { unlimitable: true }>['name'];

/** Limits as a request names them: left out, or null. */
export type LimitOverrides = {
  [Limit in keyof AccountLimits]?: AccountLimits[Limit] | null | undefined;
};

/** The limits of an account without a package: its own, but for those that it cannot name. */
export type CustomLimits = Pick<AccountLimits, Exclude<SettableLimit['name'], UnlimitableLimit>> &
  Pick<LimitOverrides, UnlimitableLimit>;

/** A package's limits with what a request puts in their place; null and left out both mean the package's. */
export function limitsInPackage(packageLimits: AccountLimits, overrides: LimitOverrides): AccountLimits {
  return accountLimits(({ name }) => overrides[name] ?? packageLimits[name]);
}

/**
 * The limits of an account that hangs on a package but has its own: those that may be unlimited are so
 * where nothing is said, and cron jobs, which no request names, follow the package.
 */
export function limitsOfItsOwn(packageLimits: AccountLimits, given: CustomLimits): AccountLimits {
  return accountLimits((limit) => (limit.settable ? (given[limit.name] ?? null) : packageLimits[limit.name]));
}

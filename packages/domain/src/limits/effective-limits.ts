import { type AccountLimits, accountLimits, type Limit, type SettableLimit } from './limits.ts';

type UnlimitableLimit = Extract<Limit, { unlimitable: true }>['name'];

/** Limits in a request: each can be omitted or null. */
export type LimitOverrides = {
  [Limit in keyof AccountLimits]?: AccountLimits[Limit] | null | undefined;
};

/** The limits of an account without a package. They are its own, except those that a request cannot set. */
export type CustomLimits = Pick<AccountLimits, Exclude<SettableLimit['name'], UnlimitableLimit>> &
  Pick<LimitOverrides, UnlimitableLimit>;

/** A package's limits with the overrides of a request. Null and omitted both mean the package's limit. */
export function limitsInPackage(packageLimits: AccountLimits, overrides: LimitOverrides): AccountLimits {
  return accountLimits(({ name }) => overrides[name] ?? packageLimits[name]);
}

/**
 * The limits of an account that has a package but its own limits. Limits that can be unlimited are unlimited if
 * omitted. Cron jobs, which no request can set, follow the package.
 */
export function limitsOfItsOwn(packageLimits: AccountLimits, given: CustomLimits): AccountLimits {
  return accountLimits((limit) => (limit.settable ? (given[limit.name] ?? null) : packageLimits[limit.name]));
}

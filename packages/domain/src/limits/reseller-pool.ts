import { type FieldErrors, words } from '../domain-error.ts';
import { type PooledLimit, pooledLimits, type ResourceLimits, withinSentence } from './limits.ts';

/** The sizes of a pool of limits. Null: not pooled. */
export type PooledSizes = { [L in PooledLimit as L['poolField']]: number | null };

/** The limits that a reseller may give to its accounts in total. */
export type ResellerPool = PooledSizes & {
  /**
   * Whether the accounts can get more disk, bandwidth, CPU and RAM than the pool has. Other limits are never oversold.
   */
  overselling: boolean;
};

/** Sums of the limits of the reseller's accounts, and how many accounts are unlimited in each. */
export type PoolAllocation = { [L in PooledLimit as L['poolField']]: number } & {
  [L in PooledLimit as L['unlimitedField'] & string]: number;
};

/** Fields of a pool, in display order. */
export const poolFields = ['max_accounts', ...pooledLimits.map(({ poolField }) => poolField)] as const;
export type PoolField = (typeof poolFields)[number];

/** All sizes of a pool. Null: not pooled. */
export type PoolSizes = PooledSizes & { max_accounts: number | null };

/** Sums over a reseller's accounts, including terminating ones. */
export type AllocatedFromPool = { accounts: number } & PoolAllocation;

/**
 * The requested limits of an account that a pool rejects, by field; empty if the pool has enough left. `allocated`
 * counts every account of the reseller, including the changed one with its `current` limits; omit `current` for a new
 * account. A pool rejects only increases. An account may keep or lower its present limits, also if an operator made the
 * pool smaller than its allocation.
 */
export function poolRefusals(
  pool: ResellerPool,
  allocated: PoolAllocation,
  wanted: ResourceLimits,
  current?: ResourceLimits,
): FieldErrors {
  const errors: Record<string, string[]> = {};
  for (const { limit, size } of bindingSizes(pool)) {
    const sentence = refusal(limit, size, allocated, wanted[limit.name], current?.[limit.name]);
    if (sentence !== undefined) errors[limit.name] = [sentence];
  }
  return errors;
}

/** Why a pool with these sizes cannot contain its present allocation, by field. Empty if it can. */
export function poolShortfalls(
  pool: ResellerPool & PoolSizes,
  allocated: AllocatedFromPool,
): { field: PoolField; sentence: string }[] {
  const shares: Share[] = bindingSizes(pool).map(({ limit, size }) => ({
    field: limit.poolField,
    size,
    taken: allocated[limit.poolField],
    unlimited: unlimitedIn(allocated, limit),
  }));
  if (pool.max_accounts !== null)
    shares.unshift({
      field: 'max_accounts',
      size: pool.max_accounts,
      taken: allocated.accounts,
      unlimited: 0,
    });
  return shares.flatMap((share) => {
    const sentence = shortfall(share);
    return sentence === undefined ? [] : [{ field: share.field, sentence }];
  });
}

/**
 * What a pool refuses of a change of many accounts, one sentence each: `before` and `after` are the sums over all
 * accounts of the reseller. Like for one account, only growth is refused.
 */
export function poolExcess(pool: ResellerPool, before: PoolAllocation, after: PoolAllocation): string[] {
  return bindingSizes(pool).flatMap(({ limit, size }) => {
    const name = withinSentence(limit.label.en);
    if (unlimitedIn(after, limit) > unlimitedIn(before, limit))
      return [`${name} cannot be unlimited, the pool has ${size}`];
    const taken = after[limit.poolField];
    return taken > size && taken > before[limit.poolField]
      ? [`${name} would be ${taken}, the pool has ${size}`]
      : [];
  });
}

interface Share {
  field: PoolField;
  size: number;
  taken: number;
  /** Number of accounts that are unlimited in it. */
  unlimited: number;
}

/** The sizes that the pool enforces. With overselling, sizes that may be oversold are not enforced. */
function bindingSizes(pool: ResellerPool): { limit: PooledLimit; size: number }[] {
  return pooledLimits.flatMap((limit) => {
    const size = pool[limit.poolField];
    return size === null || (limit.oversellable && pool.overselling) ? [] : [{ limit, size }];
  });
}

function unlimitedIn(allocated: PoolAllocation, { unlimitedField }: PooledLimit): number {
  return unlimitedField === null ? 0 : allocated[unlimitedField];
}

/** `has`: undefined for a new account, null for unlimited. */
function refusal(
  limit: PooledLimit,
  size: number,
  allocated: PoolAllocation,
  wants: number | null,
  has: number | null | undefined,
): string | undefined {
  if (has === null || (has !== undefined && wants !== null && wants <= has)) return undefined;
  const name = words(limit.name);
  if (wants === null) return `The ${name} field cannot be unlimited: the reseller pool holds ${size}.`;
  if (unlimitedIn(allocated, limit) > 0)
    return `The ${name} field cannot be taken from the reseller pool while another account is unlimited.`;
  const left = Math.max(0, size - (allocated[limit.poolField] - (has ?? 0)));
  return wants > left ? `The ${name} field exceeds what is left of the reseller pool (${left}).` : undefined;
}

function shortfall({ field, size, taken, unlimited }: Share): string | undefined {
  const name = words(field);
  if (unlimited > 0)
    return `The ${name} field cannot be ${size}: ${unlimited} of the reseller's accounts ${unlimited === 1 ? 'has' : 'have'} no limit. Give them one first.`;
  return taken > size
    ? `The ${name} field cannot be ${size}: ${taken} is handed out to the reseller's accounts already.`
    : undefined;
}

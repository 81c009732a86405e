import type { FieldErrors } from '../domain-error.ts';
import { words } from '../record-sentences.ts';
import { type PooledLimit, pooledLimits, type ResourceLimits } from './limits.ts';

/** The sizes of a pool of limits. Null: not pooled. */
export type PooledSizes = { [L in PooledLimit as L['poolField']]: number | null };

/** What a reseller may hand out in all. */
export type ResellerPool = PooledSizes & {
  /** Disk, bandwidth, CPU and RAM may be promised more often than they are there. Never the others. */
  overselling: boolean;
};

/** What the reseller's accounts hold in all, and how many of them are unlimited in what can be. */
export type PoolAllocation = { [L in PooledLimit as L['poolField']]: number } & {
  [L in PooledLimit as L['unlimitedField'] & string]: number;
};

/** Fields of a pool, in the order in which they are shown. */
export const poolFields = ['max_accounts', ...pooledLimits.map(({ poolField }) => poolField)] as const;
export type PoolField = (typeof poolFields)[number];

/** Everything that a pool limits. Null: not pooled. */
export type PoolSizes = PooledSizes & { max_accounts: number | null };

/** What a reseller's accounts hold in all, terminating ones included. */
export type AllocatedFromPool = { accounts: number } & PoolAllocation;

/**
 * What a pool refuses of the limits that an account shall have, by field; empty when all of it is left.
 * `allocated` counts every account of the reseller, the changed one with its `current` limits included;
 * leave `current` out for a new account. A pool refuses growth only: what an account already has it may
 * keep or lower, also where an operator made the pool smaller than what is handed out.
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

/** Why a pool of these sizes cannot hold what is handed out of it, by field; empty when it can. */
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

interface Share {
  field: PoolField;
  size: number;
  taken: number;
  /** Accounts without a limit of it. */
  unlimited: number;
}

/** The sizes that hold: with overselling, none of what may be oversold. */
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
  const name = `The ${words(limit.name)} field`;
  if (wants === null) return `${name} cannot be unlimited: the reseller pool holds ${size}.`;
  if (unlimitedIn(allocated, limit) > 0)
    return `${name} cannot be taken from the reseller pool while another account is unlimited.`;
  const left = Math.max(0, size - (allocated[limit.poolField] - (has ?? 0)));
  return wants > left ? `${name} exceeds what is left of the reseller pool (${left}).` : undefined;
}

function shortfall({ field, size, taken, unlimited }: Share): string | undefined {
  const name = `The ${words(field)} field`;
  if (unlimited > 0)
    return `${name} cannot be ${size}: ${unlimited} of the reseller's accounts ${unlimited === 1 ? 'has' : 'have'} no limit. Give them one first.`;
  return taken > size
    ? `${name} cannot be ${size}: ${taken} is handed out to the reseller's accounts already.`
    : undefined;
}

/**
 * Linux uids of accounts: one for each account of the whole fleet, never used twice, derived from the
 * account's id. Ranges that systemd (61184-65519 dynamic users, 524288-1879048191 containers, see
 * systemd's UIDS-GIDS.md) and the kernel (65534, 65535) use are left out.
 */
export const accountUidRanges: readonly (readonly [first: number, last: number])[] = [
  [20_000, 59_999],
  [70_000, 524_287],
  [1_879_048_192, 2_147_483_000],
];

export const FIRST_UID = 20_000;

/** The uid of an account. Throws RangeError when the ranges are used up (after some 268 million accounts). */
export function uidForAccountId(accountId: number): number {
  if (!Number.isSafeInteger(accountId) || accountId < 1)
    throw new RangeError(`Not an account id: ${accountId}`);
  let offset = accountId - 1;
  for (const [first, last] of accountUidRanges) {
    const size = last - first + 1;
    if (offset < size) return first + offset;
    offset -= size;
  }
  throw new RangeError('No uid is left for another account.');
}

/** Whether a uid can belong to an account. */
export function isAccountUid(uid: number): boolean {
  return Number.isInteger(uid) && accountUidRanges.some(([first, last]) => uid >= first && uid <= last);
}

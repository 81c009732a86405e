/**
 * Linux uids of accounts. Each uid is unique in the whole fleet, never reused, and derived from the account's id. The
 * ranges exclude the uids that systemd (61184-65519 dynamic users, 524288-1879048191 containers, see systemd's
 * UIDS-GIDS.md) and the kernel (65534, 65535) use.
 */
export const accountUidRanges: readonly (readonly [first: number, last: number])[] = [
  [20_000, 59_999],
  [70_000, 524_287],
  [1_879_048_192, 2_147_483_000],
];

/** The uid of an account. Throws RangeError if the ranges are used up (after about 268 million accounts). */
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

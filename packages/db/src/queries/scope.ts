/** The accounts that an operator sees: all, or those that one reseller manages. */
export type OperatorScope = 'all' | { resellerUserId: number };

/** The accounts that a query may read. An end user's scope is its own account. */
export type Scope = OperatorScope | { accountId: number };

/** The condition on `accounts` for a limited scope: `query.where(...within(scope))`. */
export function within(
  scope: Exclude<Scope, 'all'>,
): ['accounts.id' | 'accounts.reseller_user_id', '=', number] {
  return 'accountId' in scope
    ? ['accounts.id', '=', scope.accountId]
    : ['accounts.reseller_user_id', '=', scope.resellerUserId];
}

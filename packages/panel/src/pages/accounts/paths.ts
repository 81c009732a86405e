export function accountPath(accountId: number): string {
  return `/accounts/${accountId}`;
}

import type { Action } from '@innkeeper/domain';

/** Changes of several accounts, with the rights that they need. */
export const manyKinds = [
  { kind: 'change-package', action: 'account.change-package-many' },
  { kind: 'suspend', action: 'account.suspend-many' },
  { kind: 'unsuspend', action: 'account.unsuspend-many' },
] as const satisfies { kind: string; action: Action }[];

export type ManyKind = (typeof manyKinds)[number]['kind'];

export function manyPath(kind: ManyKind): string {
  return `/accounts/many/${kind}`;
}

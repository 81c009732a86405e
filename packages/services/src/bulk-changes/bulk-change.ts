import type { BulkProgress } from '@innkeeper/db';
import type { AccountLimits } from '@innkeeper/domain';

/** A value of a package before and after its change. */
interface Moved<T> {
  from: T;
  to: T;
}

/** The values of a package that its accounts have copies of, and that changed. */
export interface PackageMove {
  limits: { [Limit in keyof AccountLimits]?: Moved<number | null> };
  terminal_access?: Moved<boolean>;
}

/** What a bulk change does to each account, with its input. Stored as JSON. */
export type BulkAction =
  | { action: 'suspend-with-reseller' | 'unsuspend-with-reseller' | 'unsuspend' }
  | { action: 'suspend'; reason: string | null }
  /** `delete_package`: the package that is deleted afterwards, if no account has it any more. */
  | { action: 'change-package'; package_id: number; delete_package?: number }
  /** `to`: a reseller, or null for the admin. `delete_reseller`: who is deleted afterwards, if it has no account left. */
  | {
      action: 'hand-over';
      to: string | null;
      assign_packages: boolean;
      delete_reseller?: { reseller: string; unused_packages: 'keep' | 'delete' };
    }
  /** Takes over what changed in its package, where it had the value of the package. */
  | ({ action: 'package-limits'; package_id: number } & PackageMove);

/** Whether something follows the last account. */
export function hasSequel(action: BulkAction): boolean {
  return (
    (action.action === 'change-package' && action.delete_package !== undefined) ||
    (action.action === 'hand-over' && action.delete_reseller !== undefined)
  );
}

/** Reads `input`, which only `beginBulkChange` writes. */
export function bulkActionOf(input: string): BulkAction {
  return JSON.parse(input);
}

/** A change of many accounts that runs in the background. */
export interface BulkChangeView {
  id: number;
  action: BulkAction;
  /** The operator who began it. Null: innctl. */
  username: string | null;
  total: number;
  done: number;
  refused: number;
  created_at: Date;
  /** Null: it still runs. */
  finished_at: Date | null;
  /** Why what should follow, the end of a package or reseller, was left out. */
  left_out: string | null;
}

export function bulkChangeView(row: BulkProgress): BulkChangeView {
  const { id, username, total, done, refused, created_at, finished_at, left_out } = row;
  const action = bulkActionOf(row.input);
  return { id, action, username, total, done, refused, created_at, finished_at, left_out };
}

import type { PackageViewer } from '@innkeeper/db';
import type { Operator } from '../context.ts';

/** Whose eyes see packages: an admin's, or a reseller's. */
export function packageViewerOf(actor: Operator): PackageViewer {
  return actor.role === 'admin' ? { role: 'admin' } : { role: 'reseller', user_id: actor.userId ?? 0 };
}

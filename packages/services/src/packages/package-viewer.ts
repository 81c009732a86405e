import type { PackageViewer } from '@innkeeper/db';
import type { Operator } from '../context.ts';

/** The viewer for package queries: an admin, or a reseller. */
export function packageViewerOf(actor: Operator): PackageViewer {
  return actor.role === 'admin' ? { role: 'admin' } : { role: 'reseller', user_id: actor.userId ?? 0 };
}

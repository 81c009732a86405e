import type { PanelContext } from '../env.ts';
import { goTo } from './redirect.ts';

/**
 * Redirects from a page beyond the end of a list to its last page: rows were removed meanwhile, or somebody typed the
 * number. Undefined if the page exists.
 */
export function leadToLastPage(
  c: PanelContext,
  { page, per_page, total }: { page: number; per_page: number; total: number },
): Response | undefined {
  const last = Math.max(1, Math.ceil(total / per_page));
  if (page <= last || c.req.method !== 'GET') return undefined;
  const { pathname, searchParams } = new URL(c.req.url);
  if (last === 1) searchParams.delete('page');
  else searchParams.set('page', String(last));
  return goTo(c, searchParams.size === 0 ? pathname : `${pathname}?${searchParams}`);
}

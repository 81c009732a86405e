import { DomainError } from '@innkeeper/domain';
import type { PanelContext } from '../env.ts';
import { textsFor } from '../language/language.ts';
import { uiTexts } from '../ui/texts/index.ts';

/** The id of the record in the path. Throws `not_found` for an invalid id. */
export function recordId(c: PanelContext): number {
  const id = c.req.param('id') ?? '';
  if (!/^[1-9]\d{0,14}$/.test(id)) throw new DomainError('not_found', textsFor(c, uiTexts).missingPage);
  return Number(id);
}

/** Loads a record. Undefined if the record is gone and a part of its page refreshes: see `Live`. */
export async function findRecord<Found>(
  c: PanelContext,
  load: () => Promise<Found>,
): Promise<Found | undefined> {
  try {
    return await load();
  } catch (error) {
    if (isRefresh(c)) return undefined;
    throw error;
  }
}

/** Whether the request is a refresh of a part of a page: see `Live`. */
export function isRefresh(c: PanelContext): boolean {
  return c.req.method === 'GET' && c.req.header('X-Panel-Script') !== undefined;
}

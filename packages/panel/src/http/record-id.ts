import { DomainError } from '@innkeeper/domain';
import type { PanelContext } from '../env.ts';

/** The id of the record in the path. Throws `not_found` for an invalid id. */
export function recordId(c: PanelContext): number {
  const id = c.req.param('id') ?? '';
  if (!/^[1-9]\d{0,14}$/.test(id)) throw new DomainError('not_found', 'There is no such record.');
  return Number(id);
}

/** Whether the request is a refresh of a part of a page: see `Live`. */
export function readsAgain(c: PanelContext): boolean {
  return c.req.method === 'GET' && c.req.header('HX-Request') !== undefined;
}

import { DomainError } from '@innkeeper/domain';
import type { PanelContext } from '../env.ts';

/** The record that the path names. Throws `not_found` for what cannot be an id. */
export function recordId(c: PanelContext): number {
  const id = c.req.param('id') ?? '';
  if (!/^[1-9]\d{0,14}$/.test(id)) throw new DomainError('not_found', 'There is no such record.');
  return Number(id);
}

/** Whether a part of a page asks to be shown again: see `Live`. */
export function readsAgain(c: PanelContext): boolean {
  return c.req.method === 'GET' && c.req.header('HX-Request') !== undefined;
}

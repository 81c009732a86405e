import { DomainError } from '@innkeeper/domain';
import type { ServiceContext } from './context.ts';

/** Throws DomainError `forbidden` unless an admin asks. */
export function requireAdmin(ctx: Pick<ServiceContext, 'actor'>): void {
  if (ctx.actor.role !== 'admin') throw new DomainError('forbidden', 'This action is unauthorized.');
}

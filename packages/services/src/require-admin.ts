import { DomainError } from '@innkeeper/domain';
import type { OperatorContext } from './context.ts';

/** Throws DomainError `forbidden` unless the actor is an admin. */
export function requireAdmin(ctx: Pick<OperatorContext, 'actor'>): void {
  if (ctx.actor.role !== 'admin') throw new DomainError('forbidden', 'This action is unauthorized.');
}

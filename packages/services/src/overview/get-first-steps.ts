import { findFirstSteps, type StepsDone } from '@innkeeper/db';
import type { OperatorContext } from '../context.ts';

/** What an installation needs before it can be sold, and whether it is done. */
export interface FirstSteps extends StepsDone {
  /** Whether only optional ones are left. */
  is_ready: boolean;
}

/** The first steps of an installation, for admins. Null for others. One SQL statement. */
export async function getFirstSteps(ctx: OperatorContext): Promise<FirstSteps | null> {
  const { role, userId } = ctx.actor;
  if (role !== 'admin' || userId === null) return null;
  const done = await findFirstSteps(ctx.db, userId);
  return { ...done, is_ready: done.server && done.package && done.account && done.second_factor };
}

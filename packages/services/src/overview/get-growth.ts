import { countAccounts, dayOf, findAccountDays } from '@innkeeper/db';
import { USAGE_STEPS_S } from '@innkeeper/domain';
import type { OperatorContext } from '../context.ts';
import { operatorScopeOf } from '../scope.ts';

export interface Growth {
  /** Accounts that exist now. */
  total: number;
  /** Accounts that were created and removed on each of the last 30 days (UTC), oldest first, today included. */
  days: { at: Date; created: number; removed: number }[];
}

const DAYS = 30;

/** How the number of the accounts that the actor sees changed. Two SQL statements. */
export async function getGrowth(ctx: OperatorContext): Promise<Growth> {
  const today = dayOf(ctx.now());
  const days = Array.from({ length: DAYS }, (_, at) => today - (DAYS - 1 - at));
  const scope = operatorScopeOf(ctx.actor);
  const [total, rows] = await Promise.all([
    countAccounts(ctx.db, scope),
    findAccountDays(ctx.db, scope, days),
  ]);
  const changes = new Map(rows.map((row) => [row.day, row]));
  return {
    total,
    days: days.map((day) => {
      const { created = 0, removed = 0 } = changes.get(day) ?? {};
      return { at: new Date(day * USAGE_STEPS_S.day * 1_000), created, removed };
    }),
  };
}

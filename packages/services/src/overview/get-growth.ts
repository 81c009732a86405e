import { countAccounts, findNewAccounts } from '@innkeeper/db';
import { USAGE_STEPS_S } from '@innkeeper/domain';
import type { OperatorContext } from '../context.ts';
import { operatorScopeOf } from '../scope.ts';

export interface Growth {
  total: number;
  /** New accounts that still exist, on each of the last 30 days (UTC), oldest first, today included. */
  days: { at: Date; created: number }[];
}

const DAYS = 30;

/** The accounts that the actor sees: how many, and how many are new. Two SQL statements. */
export async function getGrowth(ctx: OperatorContext): Promise<Growth> {
  const dayMs = USAGE_STEPS_S.day * 1_000;
  const today = Math.floor(ctx.now().getTime() / dayMs) * dayMs;
  const days = Array.from({ length: DAYS }, (_, at) => new Date(today - (DAYS - 1 - at) * dayMs));
  const [first = ctx.now()] = days;
  const scope = operatorScopeOf(ctx.actor);
  const [total, rows] = await Promise.all([
    countAccounts(ctx.db, scope),
    findNewAccounts(ctx.db, scope, first),
  ]);
  const created = new Map(rows.map(({ day, count }) => [day, count]));
  return {
    total,
    days: days.map((at) => ({ at, created: created.get(at.toISOString().slice(0, 10)) ?? 0 })),
  };
}

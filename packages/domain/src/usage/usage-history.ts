/**
 * The history of usage: a sample of 5 minutes is kept for a day, its hour for a month, its day for two years. Slots are
 * starts of intervals in Unix seconds, so days and hours are those of UTC.
 */
export const USAGE_STEPS_S = { sample: 300, hour: 3_600, day: 86_400 } as const;
export type UsageStep = keyof typeof USAGE_STEPS_S;

/** How long the rows of a step are kept. One step longer than a chart shows, because the newest is incomplete. */
const KEPT_S: Readonly<Record<UsageStep, number>> = {
  sample: 86_400 + 3_600,
  hour: 31 * 86_400,
  day: 732 * 86_400,
};

/** Days for which the traffic of a site is kept: the chart shows 30. */
const SITE_DAYS = 31;

/**
 * Tolerance for the clock of a server, and how long an agent keeps intervals that it could not send, in seconds. Other
 * intervals are ignored, so a clock that jumps leaves a gap and no wrong row.
 */
const EARLY_S = 600;
const LATE_S = 3_600;

export function usageSlotOf(step: UsageStep, unixS: number): number {
  return unixS - (unixS % USAGE_STEPS_S[step]);
}

/** Whether an interval of a server can be over now, by the clock of the control plane. */
export function isUsageIntervalNear(startS: number, now: Date): boolean {
  const endS = startS + USAGE_STEPS_S.sample;
  const nowS = now.getTime() / 1_000;
  return endS <= nowS + EARLY_S && endS >= nowS - LATE_S;
}

/** Rows of this step that start before it are deleted. */
export function oldestUsageSlot(step: UsageStep, now: Date): number {
  return Math.ceil(now.getTime() / 1_000) - KEPT_S[step];
}

/** Days of a site's traffic that start before it are deleted. */
export function oldestSiteDay(now: Date): number {
  return usageSlotOf('day', Math.floor(now.getTime() / 1_000)) - SITE_DAYS * USAGE_STEPS_S.day;
}

/** A range of a chart: which rows it reads, and how many seconds one point of it covers. */
export const USAGE_RANGES = {
  '24h': { step: 'sample', rangeS: 86_400, pointS: 900 },
  '7d': { step: 'hour', rangeS: 7 * 86_400, pointS: 3_600 },
  '30d': { step: 'hour', rangeS: 30 * 86_400, pointS: 4 * 3_600 },
  '2y': { step: 'day', rangeS: 728 * 86_400, pointS: 7 * 86_400 },
} as const satisfies Record<string, { step: UsageStep; rangeS: number; pointS: number }>;
export type UsageRange = keyof typeof USAGE_RANGES;

/** The slots that a range reads now, oldest first, the current one included; and the starts of its points. */
export function slotsOfRange(range: UsageRange, now: Date): { slots: number[]; points: number[] } {
  const { step, rangeS, pointS } = USAGE_RANGES[range];
  const nowS = Math.floor(now.getTime() / 1_000);
  const lastPoint = nowS - (nowS % pointS);
  const first = lastPoint - rangeS + pointS;
  return { slots: every(USAGE_STEPS_S[step], first, nowS), points: every(pointS, first, lastPoint) };
}

/** Every slot of a step that can have a row now. */
export function keptUsageSlots(step: UsageStep, now: Date): number[] {
  const nowS = Math.floor(now.getTime() / 1_000) + EARLY_S;
  const first = oldestUsageSlot(step, now);
  return every(USAGE_STEPS_S[step], usageSlotOf(step, first), nowS);
}

/** Every day that can have traffic of a site now, oldest first. */
export function keptSiteDays(now: Date): number[] {
  return every(USAGE_STEPS_S.day, oldestSiteDay(now), Math.floor(now.getTime() / 1_000) + EARLY_S);
}

function every(stepS: number, first: number, last: number): number[] {
  return Array.from({ length: Math.floor((last - first) / stepS) + 1 }, (_, at) => first + at * stepS);
}

/** The calendar month in UTC: `2026-11`. */
export function monthOf(time: Date): string {
  return time.toISOString().slice(0, 7);
}

/** Tolerance for wrong clocks of nodes, in ms. */
const CLOCK_TOLERANCE_MS = 10 * 60_000;

/** Whether a node can report usage for this month now. Near the end of a month two months are valid. */
export function isMonthNear(month: string, now: Date): boolean {
  return [-CLOCK_TOLERANCE_MS, 0, CLOCK_TOLERANCE_MS].some(
    (offsetMs) => month === monthOf(new Date(now.getTime() + offsetMs)),
  );
}

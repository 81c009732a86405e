import type { AppStatus } from '@innkeeper/domain';

/** Statuses that change without an action of the user. */
const underWay: ReadonlySet<AppStatus> = new Set([
  'pending',
  'installing',
  'building',
  'updating',
  'starting',
  'stopping',
  'removing',
]);

export function isUnderWay(status: AppStatus): boolean {
  return underWay.has(status);
}

export const BYTES_PER_MIB = 1024 ** 2;

/** A duration as readable text: `41 s`, `2 min 5 s`. */
export function durationText(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1_000));
  if (seconds < 60) return `${seconds} s`;
  const rest = seconds % 60;
  return `${Math.floor(seconds / 60)} min${rest === 0 ? '' : ` ${rest} s`}`;
}

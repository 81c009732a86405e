import type { AppStatus } from '@innkeeper/domain';
import { numberText } from '../../ui/numbers.ts';

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

/** What a status means for the customer. */
export const meanings: Readonly<Record<AppStatus, string>> = {
  pending: 'The app is waiting for the server.',
  installing: 'The server is installing the app. This can take a few minutes.',
  building: 'The server is building the new release. The current release stays live.',
  updating: 'The server is activating the new release. The current release stays live.',
  starting: 'The program of the app is starting.',
  stopping: 'The program of the app is stopping. It has 10 s to finish its last requests.',
  running: 'The app is running.',
  stopped: 'The program of the app is stopped. Visitors see a page that says so.',
  failed: 'The app failed. The message from the server is below.',
  removing: 'The server is removing the app. It disappears from this page when the removal is complete.',
};

/** A size as readable text: `1.5 MiB`. */
export function sizeText(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`;
  return bytes < 1024 ** 2 ? `${numberText(bytes / 1024)} KiB` : `${numberText(bytes / 1024 ** 2)} MiB`;
}

/** A duration as readable text: `41 s`, `2 min 5 s`. */
export function durationText(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1_000));
  if (seconds < 60) return `${seconds} s`;
  const rest = seconds % 60;
  return `${numberText(Math.floor(seconds / 60))} min${rest === 0 ? '' : ` ${rest} s`}`;
}

import type { AppStatus } from '@innkeeper/domain';
import { numberText } from '../../ui/numbers.ts';

/** Statuses that change by themselves. */
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

/** What a status means to whoever has the app, and what can be done. */
export const meanings: Readonly<Record<AppStatus, string>> = {
  pending: 'The app waits for the server to begin with it.',
  installing: 'The app is being installed on the server. That can take a few minutes.',
  building: 'What was deployed is being built. What ran before goes on meanwhile.',
  updating: 'What was deployed is being put in place. What ran before goes on meanwhile.',
  starting: 'The program of the app is being started.',
  stopping: 'The program of the app is being asked to end. It has ten seconds for its last requests.',
  running: 'The app works.',
  stopped: 'The program of the app does not run. Visitors are told that the site is stopped.',
  failed: 'Something went wrong. The server says below what it was.',
  removing: 'The app is being removed from the server, and disappears from here once nothing of it is left.',
};

/** Bytes as people read them. */
export function sizeText(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`;
  return bytes < 1024 ** 2 ? `${numberText(bytes / 1024)} KiB` : `${numberText(bytes / 1024 ** 2)} MiB`;
}

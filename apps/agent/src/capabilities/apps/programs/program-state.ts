import type { Value } from '../../../node/dbus-message.ts';
import type { UnitState } from '../../../node/host.ts';
import { startedAfter } from '../../../node/systemd.ts';
import type { ProgramActivity, ProgramState } from './host.ts';

export interface ServiceState extends UnitState {
  /** Start time of its main process, as systemd has it: microseconds since 1970, 0 for none. */
  readonly startedAt: Value | undefined;
  readonly readyAt: Value | undefined;
  /** The status text from `run-app`. */
  readonly word: string;
}

export function activityOf({ active, hasJob }: UnitState): ProgramActivity {
  switch (active) {
    case 'active':
    case 'reloading':
      return hasJob ? 'stopping' : 'running';
    case 'activating':
      return 'starting';
    case 'deactivating':
      return 'stopping';
    case 'failed':
      return hasJob ? 'starting' : 'failed';
    default:
      return hasJob ? 'starting' : 'inactive';
  }
}

/** Untrusted: any process of the account may write another text. */
export function readWord(word: string): ProgramState['notListening'] {
  const [, port] = /^not listening(?:: (\d{1,5}))?$/.exec(word) ?? [];
  return word.startsWith('not listening')
    ? { otherPort: port === undefined ? undefined : Number(port) }
    : undefined;
}

/** A service that waits for its restart will use the newest configuration. */
export function isCurrent(
  { active, sub, hasJob, startedAt }: ServiceState,
  changedAtMs: number | undefined,
): boolean {
  const waits = sub === 'auto-restart' || (hasJob && (active === 'inactive' || active === 'failed'));
  return waits || startedAfter(startedAt, changedAtMs);
}

import type { Child } from 'hono/jsx';
import { Notice } from './parts.tsx';

interface RecordStateProps {
  /** `domain`, `database`. */
  what: string;
  status: string;
  /** Message from the server. */
  reason: string | null;
  /** What the customer can do after a failure. */
  remedy?: Child;
}

/**
 * Explains a pending, failed or suspended record and what to do. Shows nothing for an active record without a reason.
 */
export function RecordState({ what, status, reason, remedy }: RecordStateProps) {
  if (status === 'pending')
    return <Notice tone="busy">{`The server is setting up this ${what}. This takes a few seconds.`}</Notice>;
  if (status === 'removing')
    return (
      <Notice tone="busy">
        {`The server is removing this ${what}. It disappears from this page when the removal is complete.`}
        {reason === null ? null : ` Message from the server: ${reason}`}
      </Notice>
    );
  if (status === 'failed')
    return (
      <Notice tone="bad">
        <p>
          {`The server could not set up this ${what}. ${reason === null ? 'It gave no reason.' : `Reason: ${reason}`}`}
        </p>
        {remedy === undefined ? null : <p>{remedy}</p>}
      </Notice>
    );
  if (status === 'suspended')
    return <p>{`This ${what} is off while the account is suspended. No data is lost.`}</p>;
  if (status === 'active' && reason !== null) return <Notice tone="bad">{reason}</Notice>;
  return null;
}

/** Used and allowed number of records, shown before the form that adds one. */
export function Room({ used, limit, kinds }: { used: number; limit: number; kinds: string }) {
  const sentence = `${used} of ${limit} ${kinds} ${used === 1 ? 'is' : 'are'} used.`;
  if (used < limit) return <p class="muted">{sentence}</p>;
  return (
    <Notice>
      {limit === 0
        ? `The package of this account includes no ${kinds}. Your provider can change that.`
        : `${sentence} To add another one, remove one first, or ask your provider for a larger package.`}
    </Notice>
  );
}

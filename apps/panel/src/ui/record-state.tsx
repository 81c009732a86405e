import type { Child } from 'hono/jsx';

interface RecordStateProps {
  /** `domain`, `database`. */
  what: string;
  status: string;
  /** The server's own words. */
  reason: string | null;
  /** What whoever has it can do where the server has failed. */
  remedy: Child;
}

/** What is under way or wrong with a record, and what to do. Nothing where all is well. */
export function RecordState({ what, status, reason, remedy }: RecordStateProps) {
  if (status === 'pending')
    return <p class="waiting">{`This ${what} is being set up on the server. That takes a few seconds.`}</p>;
  if (status === 'removing')
    return (
      <p class="waiting">
        {`This ${what} is being removed from the server, and disappears from here once nothing of it is left.`}
        {reason === null ? null : ` The server says: ${reason}`}
      </p>
    );
  if (status === 'failed')
    return (
      <div class="refusal">
        <p>
          {`The server could not make this ${what} work. ${reason === null ? 'It gave no reason.' : `It says: ${reason}`}`}
        </p>
        <p>{remedy}</p>
      </div>
    );
  if (status === 'suspended')
    return <p>{`This ${what} rests while the account is suspended. Nothing of it is lost.`}</p>;
  if (status === 'active' && reason !== null) return <p class="refusal">{reason}</p>;
  return null;
}

/** How many of a kind are used, before a form asks for one more. */
export function Room({ used, limit, kinds }: { used: number; limit: number; kinds: string }) {
  const said = `${used} of ${limit} ${kinds} ${used === 1 ? 'is' : 'are'} used.`;
  if (used < limit) return <p class="soft">{said}</p>;
  return (
    <p class="refusal">
      {limit === 0
        ? `The package of this account has no ${kinds}. Your provider can change that.`
        : `${said} To add another one, remove one first, or ask your provider for a larger package.`}
    </p>
  );
}

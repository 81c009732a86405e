import type { UserContext } from '../panel-context.ts';

/**
 * A set-up that is not confirmed yet. The page carries it, sealed; nothing is stored. So it belongs to one browser
 * session: two concurrent set-ups do not affect each other, and a set-up cannot be confirmed with a secret from another
 * session.
 */
export type TotpSetUp = string;

const LIFETIME_MS = 15 * 60_000;

interface Content {
  user_id: number;
  session_id: number;
  secret: string;
  until: number;
}

export function sealSetUp(
  { sealer, now, actor, sessionId }: Pick<UserContext, 'sealer' | 'now' | 'actor' | 'sessionId'>,
  secret: string,
): TotpSetUp {
  const until = now().getTime() + LIFETIME_MS;
  const content: Content = { user_id: actor.userId, session_id: sessionId, secret, until };
  return sealer.seal('totp-set-up', JSON.stringify(content));
}

/** Returns the secret. Undefined for a set-up that is malformed, has expired, or belongs to another session. */
export function openSetUp(
  { sealer, now, actor, sessionId }: Pick<UserContext, 'sealer' | 'now' | 'actor' | 'sessionId'>,
  setUp: TotpSetUp,
): string | undefined {
  let content: Content;
  try {
    content = JSON.parse(sealer.open('totp-set-up', setUp));
  } catch {
    return undefined;
  }
  const isOurs = content.user_id === actor.userId && content.session_id === sessionId;
  return isOurs && content.until > now().getTime() ? content.secret : undefined;
}

import { findLiveTokens } from '@innkeeper/db';
import type { UserContext } from '../panel-context.ts';
import { earlier } from '../sessions/session-lifetime.ts';
import { type TokenView, tokenView } from './token-view.ts';

const NEW_MS = 7 * 86_400_000;
const LISTED = 10;

/** Tokens of the last 7 days that act as the user, created by anyone. At most 10, newest first. */
export async function listNewTokens({ db, actor, now }: UserContext): Promise<TokenView[]> {
  const { rows } = await findLiveTokens(db, { user_id: actor.userId, offset: 0, limit: LISTED });
  return rows.map(tokenView).filter(({ created_at }) => created_at > earlier(now(), NEW_MS));
}

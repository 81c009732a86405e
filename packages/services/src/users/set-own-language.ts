import { setUserLanguage } from '@innkeeper/db';
import type { UserContext } from '../panel-context.ts';

/** Notes the language that a user has chosen, for its mails. An operator who is logged in as the user changes nothing. */
export async function setOwnLanguage(
  { db, actor }: UserContext,
  { language }: { language: string },
): Promise<void> {
  if (actor.operatorUserId === undefined) await setUserLanguage(db, actor.userId, language);
}

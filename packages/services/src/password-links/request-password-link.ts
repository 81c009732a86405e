import { addToWindow, findMailSettings, insertMail } from '@innkeeper/db';
import { DomainError, USERNAME_PATTERN } from '@innkeeper/domain';
import type { SignInContext } from '../sign-in/sign-in.ts';

const MAILS_PER_HOUR = 3;
const HOUR_S = 3_600;

/**
 * Requests a mail with a link that sets the password. It only stores the typed name, so it costs and answers the same
 * whether the name exists or not; who gets the mail is looked up when it is sent. At most 3 mails per name and hour: more
 * are ignored. `language`: of the page, for the mail. Throws `conflict` if the installation sends no mail, and the error for too many attempts of an address.
 */
export async function requestPasswordLink(
  visitor: Pick<SignInContext, 'db' | 'address' | 'countAttempt'>,
  { username, language }: { username: string; language?: string },
): Promise<void> {
  const { db, address } = visitor;
  await visitor.countAttempt('password-link-address', { address });
  if ((await findMailSettings(db)) === undefined)
    throw new DomainError('conflict', 'This panel sends no mail. Ask your provider for a new password.');
  const typed_name = username.trim().toLowerCase();
  if (!USERNAME_PATTERN.test(typed_name)) return;
  const bucket = `password-link:${typed_name}`;
  if ((await addToWindow(db, { bucket, windowS: HOUR_S })).hits > MAILS_PER_HOUR) return;
  await insertMail(db, { kind: 'password-link', typed_name, language, expiresInS: HOUR_S });
}

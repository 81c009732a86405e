import { type Database, findMailSettings, insertMail, type MailRecipient } from '@innkeeper/db';
import { DomainError } from '@innkeeper/domain';
import type { Transaction } from 'kysely';
import type { Brand } from '../branding/brands.ts';
import { makePasswordLink } from '../password-links/password-link.ts';
import type { MailParts } from './compose.ts';
import type { OutboxContext } from './send-due-mails.ts';

/** `as-set`: if the installation welcomes accounts of the REST API. */
export type Welcome = 'yes' | 'no' | 'as-set';

const HOURS = 48;

/**
 * Adds the welcome mail of a new account, in the transaction that creates it: a refused create sends nothing. Throws
 * `conflict` for `yes` without a mail server.
 */
export async function addWelcomeMail(
  trx: Transaction<Database>,
  { user_id, welcome }: { user_id: number; welcome: Welcome },
): Promise<void> {
  if (welcome === 'no') return;
  const settings = await findMailSettings(trx);
  if (welcome === 'yes' && settings === undefined)
    throw new DomainError(
      'conflict',
      'The panel has no mail server now, so it cannot send a welcome mail. No account was created.',
    );
  if (welcome === 'as-set' && settings?.welcomes_api_accounts !== 1) return;
  await insertMail(trx, { kind: 'welcome', user_id, expiresInS: HOURS * 3_600 });
}

/** It has no password, but a link that sets one. The link is made for each attempt. */
export async function welcomeMail(ctx: OutboxContext, to: MailRecipient, brand: Brand): Promise<MailParts> {
  return {
    to,
    subject: `Your account at ${brand.name}`,
    paragraphs: [
      'Your hosting account is ready.',
      `Username: ${to.username}`,
      `Panel: ${ctx.publicUrl}`,
      ...(to.server_address === null ? [] : [`Server address: ${to.server_address}`]),
      'Set your password with this link:',
    ],
    button: { label: 'Set your password', url: await makePasswordLink(ctx, to, HOURS * 3_600_000) },
    afterwards: [
      `The link works once, for ${HOURS} hours, and only until your password or email address changes. After that, ` +
        'request a new link with "Forgotten password" on the sign-in page. The new password replaces the one that ' +
        'your provider may have given you.',
    ],
  };
}

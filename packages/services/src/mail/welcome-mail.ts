import { type Database, findMailSettings, insertMail, type MailRecipient } from '@innkeeper/db';
import { DomainError } from '@innkeeper/domain';
import type { Transaction } from 'kysely';
import type { Brand } from '../branding/brands.ts';
import { makePasswordLink } from '../password-links/password-link.ts';
import type { MailTexts, OutboxContext, Written } from './send-due-mails.ts';

/** `as-set`: if the installation welcomes accounts of the REST API. */
export type Welcome = 'yes' | 'no' | 'as-set';

const HOURS = 48;

/**
 * Adds the welcome mail of a new account, in the transaction that creates it: a refused create sends nothing. Throws
 * `conflict` for `yes` without a mail server. `language`: of the page on which the account is created.
 */
export async function addWelcomeMail(
  trx: Transaction<Database>,
  { user_id, welcome, language }: { user_id: number; welcome: Welcome; language?: string | undefined },
): Promise<void> {
  if (welcome === 'no') return;
  const settings = await findMailSettings(trx);
  if (welcome === 'yes' && settings === undefined)
    throw new DomainError(
      'conflict',
      'The panel has no mail server now, so it cannot send a welcome mail. No account was created.',
    );
  if (welcome === 'as-set' && settings?.welcomes_api_accounts !== 1) return;
  await insertMail(trx, { kind: 'welcome', user_id, language, expiresInS: HOURS * 3_600 });
}

/** It has no password, but a link that sets one. The link is made for each attempt. */
export async function welcomeMail(
  ctx: OutboxContext,
  to: MailRecipient,
  brand: Brand,
  { welcome }: MailTexts,
): Promise<Written> {
  return {
    to,
    subject: welcome.subject(brand.name),
    paragraphs: [
      welcome.ready,
      welcome.username(to.username),
      welcome.panel(ctx.publicUrl),
      ...(to.server_address === null ? [] : [welcome.server(to.server_address)]),
      welcome.link,
    ],
    button: { label: welcome.button, url: await makePasswordLink(ctx, to, HOURS * 3_600_000) },
    afterwards: [welcome.afterwards(HOURS)],
  };
}

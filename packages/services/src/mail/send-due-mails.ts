import {
  type ClaimedMail,
  claimDueMails,
  type Database,
  deleteOldMails,
  findMailRecipient,
  findMailSettings,
  type MailRecipient,
  postponeMail,
  settleMail,
} from '@innkeeper/db';
import type { Kysely } from 'kysely';
import { brandOfUser } from '../branding/brand-of-user.ts';
import type { Brand } from '../branding/brands.ts';
import { makePasswordLink } from '../password-links/password-link.ts';
import type { Sealer } from '../secrets/sealer.ts';
import { compose, type MailParts } from './compose.ts';
import { mailServerOf, type SendMail, type SendOutcome } from './mail-server.ts';
import { mailLanguageOf, mailTexts } from './texts/index.ts';
import { welcomeMail } from './welcome-mail.ts';

export interface OutboxContext {
  db: Kysely<Database>;
  sealer: Sealer;
  now: () => Date;
  /** `https://panel.example.com`: links in mails begin with it, never with a host name of a request. */
  publicUrl: string;
  sendMail: SendMail;
}

const LINK_MINUTES = 30;
/** Longer than an attempt takes. */
const LEASE_S = 120;
const FIRST_PAUSE_S = 60;
/** Before a server has an account for the first time. It usually takes seconds. */
const FIRST_PAUSE_OF_NEW_ACCOUNT_S = 10;
const LONGEST_PAUSE_S = 3_600;
const KEPT_S = 7 * 86_400;
const OUTCOME_MAX_CHARACTERS = 255;
const NOT_YET = 'The server has not created the account yet.';

/**
 * Sends up to `limit` due mails, all at once. Several instances do not send the same mail. Returns those that will not be
 * sent any more, with the reason.
 */
export async function sendDueMails(
  ctx: OutboxContext,
  { limit }: { limit: number },
): Promise<{ id: number; reason: string }[]> {
  const due = await claimDueMails(ctx.db, { limit, leaseS: LEASE_S });
  const attempts = await Promise.allSettled(due.map((mail) => attempt(ctx, mail)));
  for (const done of attempts) if (done.status === 'rejected') throw done.reason;
  return attempts.flatMap((done) => (done.status === 'fulfilled' && done.value !== null ? [done.value] : []));
}

/** Deletes up to `limit` mails that expired a week ago. Returns how many. */
export async function sweepMails(db: Kysely<Database>, { limit }: { limit: number }): Promise<number> {
  return await deleteOldMails(db, { keptS: KEPT_S, limit });
}

/** Returns the mail if it has failed for good. */
async function attempt(
  ctx: OutboxContext,
  mail: ClaimedMail,
): Promise<{ id: number; reason: string } | null> {
  const done = await outcomeOf(ctx, mail);
  const reason = 'reason' in done ? done.reason.slice(0, OUTCOME_MAX_CHARACTERS) : '';
  if (done.result === 'failed') {
    const first = done.reason === NOT_YET ? FIRST_PAUSE_OF_NEW_ACCOUNT_S : FIRST_PAUSE_S;
    await postponeMail(ctx.db, mail, { pauseS: pauseOf(mail.attempts, first), outcome: reason });
    return null;
  }
  const state = done.result === 'refused' ? 'failed' : done.result;
  await settleMail(ctx.db, mail, { state, outcome: reason === '' ? null : reason });
  return state === 'failed' ? { id: mail.id, reason } : null;
}

async function outcomeOf(
  ctx: OutboxContext,
  mail: ClaimedMail,
): Promise<SendOutcome | { result: 'dropped'; reason: string }> {
  if (mail.is_expired) return { result: 'refused', reason: 'It expired before it was sent.' };
  const settings = await findMailSettings(ctx.db);
  if (settings === undefined) return { result: 'failed', reason: 'No mail server is set.' };
  const recipient = await recipientOf(ctx, mail);
  if (recipient === undefined) return { result: 'dropped', reason: 'There is no such user.' };
  if (!maySignIn(recipient)) return { result: 'dropped', reason: 'The user cannot sign in.' };
  // A create that the server refuses is rolled back: nobody is welcomed to it.
  if (mail.kind === 'welcome' && recipient.first_applied_at === null)
    return { result: 'failed', reason: NOT_YET };
  const brand = await brandOfUser(ctx.db, recipient);
  const language = mailLanguageOf(mail.language, recipient.language);
  const parts = await partsOf[mail.kind](ctx, recipient, brand, mailTexts[language]);
  return await ctx.sendMail(mailServerOf(settings, ctx.sealer), compose(brand, { ...parts, language }));
}

async function recipientOf(
  { db }: OutboxContext,
  { user_id, typed_name }: ClaimedMail,
): Promise<MailRecipient | undefined> {
  if (user_id !== null) return await findMailRecipient(db, { id: user_id });
  return typed_name === null ? undefined : await findMailRecipient(db, { username: typed_name });
}

/** Everything but the language, in which the texts are. */
export type Written = Omit<MailParts, 'language'>;
export type MailTexts = typeof mailTexts.en;

const partsOf: Readonly<
  Record<
    ClaimedMail['kind'],
    (ctx: OutboxContext, to: MailRecipient, brand: Brand, texts: MailTexts) => Promise<Written>
  >
> = { test: testMail, 'password-link': passwordMail, welcome: welcomeMail };

/** The link is made now, for each attempt: the outbox has none. */
async function passwordMail(
  ctx: OutboxContext,
  to: MailRecipient,
  brand: Brand,
  { password }: MailTexts,
): Promise<Written> {
  return {
    to,
    subject: password.subject(brand.name),
    paragraphs: [password.paragraph(to.username)],
    button: { label: password.button, url: await makePasswordLink(ctx, to, LINK_MINUTES * 60_000) },
    afterwards: [password.afterwards(LINK_MINUTES)],
  };
}

function maySignIn({ role, account_state, disabled_at }: MailRecipient): boolean {
  return role === 'user' ? account_state === 'active' : disabled_at === null;
}

async function testMail(
  _ctx: OutboxContext,
  to: MailRecipient,
  _brand: Brand,
  { test }: MailTexts,
): Promise<Written> {
  return { to, subject: test.subject, paragraphs: [test.paragraph] };
}

/** Doubles from the first pause to 1 hour. */
function pauseOf(attempts: number, firstS: number): number {
  return Math.min(LONGEST_PAUSE_S, firstS * 2 ** Math.min(attempts - 1, 20));
}

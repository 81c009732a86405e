import type { Role } from '@innkeeper/domain';
import { type Kysely, type Selectable, sql } from 'kysely';
import { inTransaction } from '../in-transaction.ts';
import type { Database } from '../schema/index.ts';
import type { OutboxMailsTable } from '../schema/mail.ts';

/** A mail that this instance sends now. `attempts` has this attempt. */
export type ClaimedMail = Pick<
  Selectable<OutboxMailsTable>,
  'id' | 'kind' | 'typed_name' | 'user_id' | 'language' | 'attempts'
> & { is_expired: boolean };

const now = sql<Date>`now(6)`;
const inSeconds = (seconds: number) => sql<Date>`now(6) + interval ${seconds} second`;

/** Adds a mail that is due now. Works in the transaction of what the mail is about. */
export async function insertMail(
  db: Kysely<Database>,
  mail: Pick<OutboxMailsTable, 'kind'> & {
    typed_name?: string;
    user_id?: number;
    language?: string | undefined;
    expiresInS: number;
  },
): Promise<void> {
  const { expiresInS, language = null, ...columns } = mail;
  await db
    .insertInto('outbox_mails')
    .values({
      ...columns,
      language,
      state: 'waiting',
      next_attempt_at: now,
      expires_at: inSeconds(expiresInS),
      created_at: now,
    })
    .execute();
}

/**
 * Takes up to `limit` due mails, longest due first, and counts an attempt of each. No other instance gets them for
 * `leaseS` seconds. If this one ends before it stores the outcome, another one sends them then: a mail may be sent twice,
 * and is never forgotten.
 */
export async function claimDueMails(
  db: Kysely<Database>,
  { limit, leaseS }: { limit: number; leaseS: number },
): Promise<ClaimedMail[]> {
  return await inTransaction(db, async (trx) => {
    const due = await trx
      .selectFrom('outbox_mails')
      .select(['id', 'kind', 'typed_name', 'user_id', 'language', 'attempts'])
      .select(sql<number>`expires_at <= ${now}`.as('is_expired'))
      .where('state', '=', 'waiting')
      .where('next_attempt_at', '<=', now)
      .orderBy('next_attempt_at')
      .limit(limit)
      .forUpdate()
      .skipLocked()
      .execute();
    if (due.length === 0) return [];
    await trx
      .updateTable('outbox_mails')
      .set({ attempts: sql<number>`attempts + 1`, next_attempt_at: inSeconds(leaseS) })
      .where(
        'id',
        'in',
        due.map(({ id }) => id),
      )
      .execute();
    return due.map(({ is_expired, ...mail }) => ({
      ...mail,
      attempts: mail.attempts + 1,
      is_expired: is_expired === 1,
    }));
  });
}

/** Stores the final outcome of an attempt, unless another instance has begun a later one. */
export async function settleMail(
  db: Kysely<Database>,
  { id, attempts }: Pick<ClaimedMail, 'id' | 'attempts'>,
  { state, outcome }: { state: 'sent' | 'failed' | 'dropped'; outcome: string | null },
): Promise<void> {
  await db
    .updateTable('outbox_mails')
    .set({ state, outcome })
    .where('id', '=', id)
    .where('attempts', '=', attempts)
    .where('state', '=', 'waiting')
    .execute();
}

/** Stores why an attempt failed and when the next one is. After the mail's expiry there is none, and it has failed. */
export async function postponeMail(
  db: Kysely<Database>,
  { id, attempts }: Pick<ClaimedMail, 'id' | 'attempts'>,
  { pauseS, outcome }: { pauseS: number; outcome: string },
): Promise<void> {
  await db
    .updateTable('outbox_mails')
    .set({
      outcome,
      state: sql<'failed' | 'waiting'>`if(expires_at < ${inSeconds(pauseS)}, 'failed', 'waiting')`,
      next_attempt_at: inSeconds(pauseS),
    })
    .where('id', '=', id)
    .where('attempts', '=', attempts)
    .where('state', '=', 'waiting')
    .execute();
}

export type ListedMail = Pick<
  Selectable<OutboxMailsTable>,
  'id' | 'kind' | 'typed_name' | 'state' | 'attempts' | 'next_attempt_at' | 'outcome' | 'created_at'
> & { username: string | null };

/** The newest mails, with their users. */
export async function findNewestMails(db: Kysely<Database>, limit: number): Promise<ListedMail[]> {
  return await db
    .selectFrom('outbox_mails')
    .leftJoin('users', 'users.id', 'outbox_mails.user_id')
    .select([
      'outbox_mails.id',
      'kind',
      'typed_name',
      'state',
      'attempts',
      'next_attempt_at',
      'outcome',
      'outbox_mails.created_at',
      'users.username',
    ])
    .orderBy('outbox_mails.id', 'desc')
    .limit(limit)
    .execute();
}

/** Deletes up to `limit` mails that expired more than `keptS` seconds ago. Returns how many. */
export async function deleteOldMails(
  db: Kysely<Database>,
  { keptS, limit }: { keptS: number; limit: number },
): Promise<number> {
  const old = await db
    .selectFrom('outbox_mails')
    .select('id')
    .where('expires_at', '<', inSeconds(-keptS))
    .orderBy('expires_at')
    .limit(limit)
    .execute();
  if (old.length === 0) return 0;
  const ids = old.map(({ id }) => id);
  const { numDeletedRows } = await db.deleteFrom('outbox_mails').where('id', 'in', ids).executeTakeFirst();
  return Number(numDeletedRows);
}

/** Who gets a mail. */
export interface MailRecipient {
  id: number;
  username: string;
  name: string;
  email: string;
  role: Role;
  password_hash: string;
  disabled_at: Date | null;
  /** The language of its panel. */
  language: string | null;
  account_id: number | null;
  account_state: string | null;
  /** When a server first had everything of the account. */
  first_applied_at: Date | null;
  /** The reseller that manages the account. */
  reseller_user_id: number | null;
  /** Address of the account's server. */
  server_address: string | null;
}

export async function findMailRecipient(
  db: Kysely<Database>,
  who: { id: number } | { username: string },
): Promise<MailRecipient | undefined> {
  const query = db
    .selectFrom('users')
    .leftJoin('accounts', (join) =>
      join.onRef('accounts.username', '=', 'users.username').onRef('accounts.user_id', '=', 'users.id'),
    )
    .leftJoin('nodes', 'nodes.id', 'accounts.node_id')
    .select('nodes.address as server_address')
    .select(['users.id', 'users.username', 'users.name', 'users.email', 'users.role', 'users.password_hash'])
    .select(['users.disabled_at', 'users.language'])
    .select(['accounts.id as account_id', 'accounts.state as account_state'])
    .select(['accounts.first_applied_at', 'accounts.reseller_user_id']);
  return await ('id' in who
    ? query.where('users.id', '=', who.id)
    : query.where('users.username', '=', who.username)
  ).executeTakeFirst();
}

import type { Role } from '@innkeeper/domain';
import { type Kysely, type SqlBool, sql, type Transaction } from 'kysely';
import type { Database } from '../schema/index.ts';

const secondsBetweenTouches = 60;

export interface TokenRow {
  id: number;
  user_id: number;
  username: string;
  role: Role;
  name: string;
  purpose: string;
  preset: string;
  /** JSON. */
  abilities: string;
  /** JSON. */
  allowed_ips: string;
  last_used_at: Date | null;
  last_used_ip: string | null;
  revoked_at: Date | null;
  /** Since then it does not work. Null: it has no end. */
  expires_at: Date | null;
  created_at: Date;
}

/** Tokens joined with their owners, oldest first: all, those of one user, or one by id. */
export async function findTokens(
  db: Kysely<Database>,
  only: { user_id?: number | undefined; id?: number | undefined },
): Promise<TokenRow[]> {
  let query = tokensWithOwners(db).orderBy('api_tokens.id');
  if (only.user_id !== undefined) query = query.where('api_tokens.user_id', '=', only.user_id);
  if (only.id !== undefined) query = query.where('api_tokens.id', '=', only.id);
  return query.execute();
}

/** One page of the tokens that are not revoked, newest first, and the total; of all users or of one. */
export async function findLiveTokens(
  db: Kysely<Database>,
  { user_id, offset, limit }: { user_id: number | undefined; offset: number; limit: number },
): Promise<{ rows: TokenRow[]; total: number }> {
  let query = tokensWithOwners(db).where('api_tokens.revoked_at', 'is', null);
  let counting = db
    .selectFrom('api_tokens')
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .where('revoked_at', 'is', null);
  if (user_id !== undefined) {
    query = query.where('api_tokens.user_id', '=', user_id);
    counting = counting.where('user_id', '=', user_id);
  }
  const [rows, { total }] = await Promise.all([
    query.orderBy('api_tokens.id', 'desc').offset(offset).limit(limit).execute(),
    counting.executeTakeFirstOrThrow(),
  ]);
  return { rows, total: Number(total) };
}

/** The highest id of all tokens, or of one user's, including revoked ones. 0 if there is none. */
export async function findNewestTokenId(
  db: Kysely<Database>,
  { user_id }: { user_id: number | undefined },
): Promise<number> {
  let query = db.selectFrom('api_tokens').select((eb) => eb.fn.max('id').as('id'));
  if (user_id !== undefined) query = query.where('user_id', '=', user_id);
  return Number((await query.executeTakeFirst())?.id ?? 0);
}

/** The token with this SHA-256 unless it is revoked, has expired, or its owner is disabled. One SQL statement. */
export async function findLiveToken(
  db: Kysely<Database>,
  tokenHash: Buffer,
): Promise<(TokenRow & { token_hash: Buffer }) | undefined> {
  return tokensWithOwners(db)
    .select('api_tokens.token_hash')
    .where('api_tokens.token_hash', '=', tokenHash)
    .where('users.disabled_at', 'is', null)
    .where('api_tokens.revoked_at', 'is', null)
    .where(isUnexpired)
    .executeTakeFirst();
}

/** By the clock of the database. */
const isUnexpired = sql<SqlBool>`(api_tokens.expires_at is null or api_tokens.expires_at > now(6))`;

function tokensWithOwners(db: Kysely<Database>) {
  return db
    .selectFrom('api_tokens')
    .innerJoin('users', 'users.id', 'api_tokens.user_id')
    .select([
      'api_tokens.id',
      'api_tokens.user_id',
      'users.username',
      'users.role',
      'api_tokens.name',
      'api_tokens.purpose',
      'api_tokens.preset',
      'api_tokens.abilities',
      'api_tokens.allowed_ips',
      'api_tokens.last_used_at',
      'api_tokens.last_used_ip',
      'api_tokens.revoked_at',
      'api_tokens.expires_at',
      'api_tokens.created_at',
    ]);
}

/** Returns its id. */
export async function insertToken(
  trx: Transaction<Database>,
  token: {
    user_id: number;
    name: string;
    purpose: string;
    preset: string;
    abilities: readonly string[];
    allowed_ips: readonly string[];
    expires_at: Date | null;
    token_hash: Buffer;
    created_at: Date;
  },
): Promise<number> {
  const { insertId } = await trx
    .insertInto('api_tokens')
    .values({
      ...token,
      abilities: JSON.stringify(token.abilities),
      allowed_ips: JSON.stringify(token.allowed_ips),
    })
    .executeTakeFirstOrThrow();
  return Number(insertId);
}

/** Returns true if this call revoked the token, false if it was revoked before. */
export async function setTokenRevoked(
  trx: Transaction<Database>,
  tokenId: number,
  now: Date,
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('api_tokens')
    .set({ revoked_at: now })
    .where('id', '=', tokenId)
    .where('revoked_at', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** Records a use, unless one was recorded within the last minute by database time. */
export async function noteTokenUse(db: Kysely<Database>, tokenId: number, address: string): Promise<void> {
  await db
    .updateTable('api_tokens')
    .set({ last_used_at: sql`now(6)`, last_used_ip: address })
    .where('id', '=', tokenId)
    .where((eb) =>
      eb.or([
        eb('last_used_at', 'is', null),
        eb('last_used_at', '<=', sql<Date>`now(6) - interval ${sql.lit(secondsBetweenTouches)} second`),
      ]),
    )
    .execute();
}

import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { getDatabaseDetails } from '@innkeeper/db';
import { DomainError } from '@innkeeper/domain';
import { type ChannelContext, type NodeChannel, openChannel } from '../channels/open-channel.ts';
import { scopeOf } from '../scope.ts';
import { assertKept } from './change-database.ts';

/** What an import may say about its error, in characters. */
const MAX_ERROR_CHARACTERS = 500;

/**
 * Exports a database: a stream of its SQL, compressed with gzip, with triggers, events and routines. The stream fails if
 * the export is not complete. Throws `not_found`, `precondition_failed`, and what `openChannel` throws.
 */
export async function exportDatabase(
  ctx: ChannelContext,
  { database_id }: { database_id: number },
): Promise<{ db_name: string; sql: NodeChannel }> {
  const { account_id, db_name, record } = await movable(ctx, database_id);
  const sql = await openChannel(ctx, {
    account_id,
    program: { kind: 'database-export', database_id },
    record,
  });
  sql.end();
  return { db_name, sql };
}

/**
 * Runs SQL in a database, as its user. What ran before an error stays, as with any client. Throws `not_found`,
 * `precondition_failed` with the words of the database server, and what `openChannel` throws.
 */
export async function importDatabase(
  ctx: ChannelContext,
  { database_id, sql, is_gzip }: { database_id: number; sql: AsyncIterable<Uint8Array>; is_gzip: boolean },
): Promise<{ db_name: string }> {
  const { account_id, db_name, record } = await movable(ctx, database_id);
  const program = { kind: 'database-import', database_id, is_gzip } as const;
  const channel = await openChannel(ctx, { account_id, program, record });
  const said = text(channel).catch(() => undefined);
  // A server that refuses the file reads no further: its answer says why.
  const sent = pipeline(sql, channel, { end: true }).catch(() => {});
  const answer = await said;
  channel.destroy();
  await sent;
  if (answer === undefined)
    throw new DomainError(
      'unavailable',
      'The connection to the server was lost. Parts of the file may have been imported.',
    );
  if (answer === 'ok\n') return { db_name };
  throw new DomainError('precondition_failed', `The import stopped: ${printable(answer)}`);
}

async function movable(ctx: ChannelContext, database_id: number) {
  const database = await getDatabaseDetails(ctx.db, scopeOf(ctx.actor), database_id);
  assertKept(database);
  const { account_id, db_name } = database;
  return { account_id, db_name, record: { target: `database:${database_id}`, details: { db_name } } };
}

/** The text comes from the account's program, and contains parts of its file. */
function printable(answer: string): string {
  const line = answer.replaceAll(/[\p{Cc}\p{Cf}]+/gu, ' ').trim();
  return line.length <= MAX_ERROR_CHARACTERS ? line : `${line.slice(0, MAX_ERROR_CHARACTERS)}…`;
}

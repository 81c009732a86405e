import { Readable } from 'node:stream';
import { DomainError } from '@innkeeper/domain';
import { type ChannelContext, exportDatabase, importDatabase } from '@innkeeper/services';
import type { PanelContext } from '../../env.ts';
import { isSentByOtherSite } from '../../http/csrf.ts';
import { recordId } from '../../http/record-id.ts';
import { goToWithNotice } from '../../http/redirect.ts';
import { customerContext } from '../../http/session.ts';
import { httpTexts } from '../../http/texts/index.ts';
import { textsFor } from '../../language/language.ts';
import { databaseTexts } from './texts/index.ts';

/** Timeout of the server for an import, in addition to the upload. */
const IMPORT_MS = 30 * 60_000;
const CHUNK_BYTES = 256 * 1024;
const GZIP = Buffer.from([0x1f, 0x8b]);

/** Streams the export as a download. */
export async function sendExport(c: PanelContext): Promise<Response> {
  if (isSentByOtherSite(c)) throw new DomainError('forbidden', textsFor(c, httpTexts).formExpired);
  const { db_name, sql } = await exportDatabase(channelContext(c), { database_id: recordId(c) });
  const day = c.var.deps.now().toISOString().slice(0, 10);
  c.header('Content-Type', 'application/gzip');
  c.header('Content-Disposition', `attachment; filename="${db_name}-${day}.sql.gz"`);
  return c.body(Readable.toWeb(sql) as ReadableStream);
}

/** Receives a file, then runs it in the database. */
export async function receiveImport(c: PanelContext): Promise<Response> {
  const ctx = channelContext(c);
  const { uploads } = c.var.deps;
  c.var.extendDeadline(uploads.timeoutMs + IMPORT_MS);
  const form = {
    contentType: c.req.header('Content-Type'),
    contentLength: c.req.header('Content-Length'),
    body: c.req.raw.body,
  };
  await using file = await uploads.receive(form, { field: 'dump', accountId: ctx.actor.accountId });
  const start = Buffer.alloc(Math.min(GZIP.length, file.bytes));
  await file.read(start, 0);
  const { db_name } = await importDatabase(ctx, {
    database_id: recordId(c),
    sql: chunksOf(file),
    is_gzip: start.equals(GZIP),
  });
  return goToWithNotice(c, `/databases/${recordId(c)}`, textsFor(c, databaseTexts).wasImported(db_name));
}

function channelContext(c: PanelContext): ChannelContext & ReturnType<typeof customerContext> {
  return { ...customerContext(c), openNodeChannel: c.var.deps.openNodeChannel };
}

async function* chunksOf(file: {
  bytes: number;
  read(into: Uint8Array, position: number): Promise<void>;
}): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < file.bytes; at += CHUNK_BYTES) {
    const chunk = Buffer.alloc(Math.min(CHUNK_BYTES, file.bytes - at));
    await file.read(chunk, at);
    yield chunk;
  }
}

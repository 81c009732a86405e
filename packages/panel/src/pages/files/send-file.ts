import { Readable } from 'node:stream';
import { readWirePath, shownWirePath, type WirePath, wireNameAtEnd } from '@innkeeper/domain';
import type { PanelContext } from '../../env.ts';
import { FilesError } from '../../files/index.ts';
import { failurePage } from './failure-page.tsx';
import { filesOf, pathIn, pathsOf } from './files.ts';
import { PREVIEW_HEAD_BYTES, PREVIEW_MAX_BYTES, previewType } from './preview.ts';

/**
 * What a customer stores must never act on the panel's origin: it is a download of no type, or a picture whose type the panel has read from
 * its bytes. Opened on its own it has no script, no style and no origin.
 */
const OF_TENANT = {
  'Content-Security-Policy': "default-src 'none'; sandbox",
  'X-Content-Type-Options': 'nosniff',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Cache-Control': 'private, no-store',
};

/** A file as a download. A download that was interrupted continues (`Range`). */
export async function sendDownload(c: PanelContext): Promise<Response> {
  const path = pathIn(c);
  try {
    const { status, length, contentRange, etag, content } = await filesOf(c).open(path, {
      range: c.req.header('Range'),
      ifRange: c.req.header('If-Range'),
    });
    return answer(c, content, status, {
      'Content-Type': 'application/octet-stream',
      'Content-Disposition': attachment(wireNameAtEnd(path)),
      'Content-Length': `${length}`,
      'Accept-Ranges': 'bytes',
      ETag: etag,
      ...(contentRange === undefined ? {} : { 'Content-Range': contentRange }),
    });
  } catch (error) {
    return failurePage(c, error);
  }
}

/** A folder as a ZIP archive. */
export async function sendZip(c: PanelContext): Promise<Response> {
  const path = pathIn(c);
  return await zip(c, path, [], wireNameAtEnd(path) || 'home');
}

/** The selected entries of one folder as a ZIP archive. */
export async function sendChosenZip(c: PanelContext): Promise<Response> {
  const paths = pathsOf(c);
  const folder = readWirePath(String(c.var.form.folder ?? '')) ?? '';
  const name = paths.length === 1 ? wireNameAtEnd(paths[0]!) : wireNameAtEnd(folder) || 'files';
  return await zip(c, folder, paths.map(wireNameAtEnd), name);
}

async function zip(c: PanelContext, folder: WirePath, names: string[], name: string): Promise<Response> {
  try {
    const content = await filesOf(c).zip(folder, names);
    return answer(c, content, 200, {
      'Content-Type': 'application/zip',
      'Content-Disposition': attachment(`${name}.zip`),
    });
  } catch (error) {
    return failurePage(c, error);
  }
}

/** A picture for the preview beside the list. Anything else is not found. */
export async function sendImage(c: PanelContext): Promise<Response> {
  const { length, content } = await filesOf(c).open(pathIn(c));
  const head: Buffer[] = [];
  let bytes = 0;
  try {
    if (length > PREVIEW_MAX_BYTES) throw new FilesError('too_large');
    const chunks = content[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
    while (bytes < Math.min(PREVIEW_HEAD_BYTES, length)) {
      const { value, done } = await chunks.next();
      if (done === true) break;
      head.push(value);
      bytes += value.length;
    }
    const start = Buffer.concat(head);
    const type = previewType(start);
    if (type === undefined) throw new FilesError('not_file');
    const whole = Readable.from(
      (async function* () {
        yield start;
        yield* { [Symbol.asyncIterator]: () => chunks };
      })(),
      { objectMode: false },
    );
    return answer(c, whole, 200, { 'Content-Type': type, 'Content-Length': `${length}` });
  } catch (error) {
    content.destroy();
    if (!(error instanceof FilesError)) throw error;
    return c.body(null, 404, OF_TENANT);
  }
}

function answer(
  c: PanelContext,
  content: Readable,
  status: number,
  headers: Record<string, string>,
): Response {
  const all = { ...OF_TENANT, ...headers };
  if (c.req.raw.method === 'HEAD') {
    content.destroy();
    return c.body(null, status as 200, all);
  }
  return c.body(Readable.toWeb(content) as ReadableStream<Uint8Array>, status as 200, all);
}

/** The name of a download, for old and new browsers. */
function attachment(wireName: string): string {
  const shown = shownWirePath(wireName);
  const ascii = shown.replaceAll(/[^\x20-\x7e]|["\\%]/g, '_');
  const encoded = encodeURIComponent(shown).replaceAll(
    /['()*]/g,
    (one) => `%${one.charCodeAt(0).toString(16)}`,
  );
  return `attachment; filename="${ascii}"; filename*=UTF-8''${encoded}`;
}

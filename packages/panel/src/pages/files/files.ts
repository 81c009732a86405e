import { DomainError, type DomainErrorCode, readWirePath, type WirePath } from '@innkeeper/domain';
import { openChannel as openFilesChannel } from '@innkeeper/services';
import type { PanelDeps } from '../../deps.ts';
import type { Form, PanelContext } from '../../env.ts';
import { ChannelAgent, FilesClient, FilesError, type FilesErrorCode } from '../../files/index.ts';
import { customerContext } from '../../http/session.ts';
import { textsFor } from '../../language/language.ts';
import { fileTexts } from './texts/index.ts';

const agents = new WeakMap<PanelDeps, ChannelAgent>();

/** The files of the signed-in customer's account. A session has channels of its own. */
export function filesOf(c: PanelContext): FilesClient {
  const { deps } = c.var;
  const ctx = customerContext(c);
  const { accountId } = ctx.actor;
  const agent = agents.get(deps) ?? new ChannelAgent();
  agents.set(deps, agent);
  const openNodeChannel = deps.openNodeChannel;
  const wanted = { account_id: accountId, program: { kind: 'files' } } as const;
  const openChannel = () => openFilesChannel({ ...ctx, openNodeChannel }, wanted);
  return new FilesClient({ agent, session: `${accountId}:${ctx.sessionId}`, openChannel });
}

/** The file or folder that the URL names behind `/files/<page>/`. Throws `not_found`. */
export function pathIn(c: PanelContext): WirePath {
  const { pathname } = new URL(c.req.url);
  const path = readWirePath(pathname.replace(/^\/files\/?[a-z-]*\/?/, ''));
  if (path === undefined) throw new DomainError('not_found', textsFor(c, fileTexts).failures.not_found);
  return path;
}

/** A path in a field of a form. Throws `invalid`. */
export function pathOf(c: PanelContext, field: string): WirePath {
  const value = c.var.form[field];
  const path = typeof value === 'string' ? readWirePath(value) : undefined;
  if (path === undefined)
    throw new DomainError('precondition_failed', textsFor(c, fileTexts).failures.invalid);
  return path;
}

/** The chosen entries of a form. Throws `precondition_failed` if there is none. */
export function pathsOf(c: PanelContext): WirePath[] {
  const paths = listOf(c.var.form, 'paths').flatMap((path) => readWirePath(path) || []);
  if (paths.length === 0) throw new DomainError('precondition_failed', textsFor(c, fileTexts).chooseOne);
  return paths;
}

export function listOf(form: Form, field: string): string[] {
  const value = form[field];
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];
}

const codes: Partial<Record<FilesErrorCode, DomainErrorCode>> = {
  changed: 'conflict',
  denied: 'forbidden',
  exists: 'conflict',
  no_space: 'quota_exceeded',
  not_found: 'not_found',
  quota: 'quota_exceeded',
  unavailable: 'unavailable',
};

/** A failure of the file program as a refusal in the reader's language. A defect stays as it is. */
export function refusalOf(c: PanelContext, error: unknown): unknown {
  if (!(error instanceof FilesError)) return error;
  const texts = textsFor(c, fileTexts);
  const code = codes[error.code] ?? 'precondition_failed';
  // A missing file of a form is no missing page.
  return new DomainError(code === 'not_found' ? 'precondition_failed' : code, sentenceOf(texts, error), {
    cause: error,
  });
}

export function sentenceOf(
  texts: typeof fileTexts.en,
  { code, detail }: Pick<FilesError, 'code' | 'detail'>,
): string {
  // The sentence of a refused archive is translated by its wording.
  return code === 'archive' && detail !== undefined ? detail : texts.failures[code];
}

/** Runs an action of the file program. Its refusals become those of forms. */
export async function inFiles<T>(c: PanelContext, run: (files: FilesClient) => Promise<T>): Promise<T> {
  try {
    return await run(filesOf(c));
  } catch (error) {
    throw refusalOf(c, error);
  }
}

/** Paths of pages about files. */
export const filePages = {
  browse: (path: WirePath) => (path === '' ? '/files' : `/files/browse/${path}`),
  open: (path: WirePath) => `/files/open/${path}`,
  entry: (path: WirePath) => `/files/entry/${path}`,
  download: (path: WirePath) => `/files/download/${path}`,
  zip: (path: WirePath) => `/files/zip/${path}`,
  image: (path: WirePath) => `/files/image/${path}`,
  save: (path: WirePath) => `/files/save/${path}`,
  search: (path: WirePath) => `/files/search/${path}`,
} as const;

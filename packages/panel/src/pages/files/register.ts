import { statusOf } from '@innkeeper/contract';
import {
  DomainError,
  joinWirePath,
  readWirePath,
  type WirePath,
  wireNameOfText,
  wireParentOf,
} from '@innkeeper/domain';
import type { Handler } from 'hono';
import type { Panel, PanelContext, PanelEnv } from '../../env.ts';
import { onSubmit, type Refused, rawTextOf, textOf } from '../../http/form.ts';
import { goTo, goToWithNotice } from '../../http/redirect.ts';
import { allowed, customer } from '../../http/session.ts';
import { languageOf, textsFor } from '../../language/language.ts';
import { translate } from '../../language/sentences/translate.ts';
import { browsePage, folderPage } from './browse-page.tsx';
import { entryPage, rename, setPermissions } from './entry-page.tsx';
import { filePages, inFiles, pathIn, pathOf, pathsOf } from './files.ts';
import { forgetJob } from './jobs.ts';
import { noteChange } from './note-change.ts';
import { openPage, save } from './open-page.tsx';
import { beginUpload, cancelUpload, finishUpload, receiveForm, receivePart } from './receive-upload.ts';
import { searchPage } from './search-page.tsx';
import { archive, copy, inBackground, move, selectedPage } from './selected-page.tsx';
import { sendChosenZip, sendDownload, sendImage, sendZip } from './send-file.ts';
import { fileTexts } from './texts/index.ts';
import { emptyTrash, restore, trashPage } from './trash-page.tsx';

/** The files of the customer's account. Behind `/files/<page>/` is the path of a file or folder. */
export function registerFiles(panel: Panel): void {
  panel.get('/files', customer, (c) => browsePage(c));
  panel.get('/files/browse/*', customer, (c) => browsePage(c));
  panel.get('/files/open/*', customer, (c) => openPage(c));
  panel.get('/files/entry/*', customer, (c) => entryPage(c));
  panel.get('/files/search/*', customer, (c) => searchPage(c));
  panel.get('/files/trash', customer, (c) => trashPage(c));
  panel.get('/files/download/*', customer, (c) => sendDownload(c));
  panel.get('/files/image/*', customer, (c) => sendImage(c));
  panel.get('/files/zip/*', customer, (c) => sendZip(c));

  const change = allowed('files.change');
  panel.post('/files/save/*', change, forScript(save, openPage));
  panel.post('/files/new', change, onSubmit(create, againIn('folder')));
  panel.post('/files/rename/*', change, onSubmit(rename, entryPage));
  panel.post('/files/permissions/*', allowed('files.permissions'), onSubmit(setPermissions, entryPage));
  panel.post(
    '/files/selected',
    change,
    onSubmit(async (c) => selectedPage(c), againIn('folder')),
  );
  panel.post('/files/zip', change, onSubmit(sendChosenZip, againIn('folder')));
  panel.post('/files/move', change, onSubmit(move, selectedPage));
  panel.post('/files/copy', change, onSubmit(copy, selectedPage));
  panel.post('/files/archive', change, onSubmit(archive, selectedPage));
  panel.post('/files/extract', allowed('files.extract'), onSubmit(extract, againIn('path')));
  panel.post('/files/delete', allowed('files.delete'), onSubmit(moveToTrash, againIn('folder')));
  panel.post('/files/remove', allowed('files.delete'), onSubmit(remove, againIn('path')));
  panel.post('/files/trash/restore', change, onSubmit(restore, trashPage));
  panel.post('/files/trash/empty', allowed('files.delete'), onSubmit(emptyTrash, trashPage));
  panel.post('/files/jobs/forget', change, onSubmit(forget, againIn('folder')));

  const upload = allowed('files.upload');
  const onUploaded = onSubmit(receiveForm, (c, refused) => folderPage(c, pathIn(c), { refused }));
  panel.post('/files/upload', upload, onUploaded);
  panel.post('/files/upload/*', upload, onUploaded);
  panel.post('/files/uploads', upload, asJson(beginUpload));
  panel.put('/files/uploads/:id', upload, asJson(receivePart));
  panel.post('/files/uploads/:id', upload, asJson(finishUpload));
  panel.delete('/files/uploads/:id', upload, asJson(cancelUpload));
}

/** Shows a refused form on the page of the folder that a field names. */
function againIn(field: 'folder' | 'path'): (c: PanelContext, refused: Refused) => Promise<Response> {
  return (c, refused) => {
    const path = readWirePath(textOf(c.var.form, field) || textOf(c.var.form, 'back')) ?? '';
    return folderPage(c, field === 'path' ? wireParentOf(path) : path, { refused });
  };
}

/** A form that the script sends too: then a refusal is JSON. */
function forScript(
  run: (c: PanelContext) => Promise<Response>,
  again: (c: PanelContext, refused: Refused) => Promise<Response>,
): Handler<PanelEnv> {
  const page = onSubmit(run, again);
  const json = asJson(run);
  return (c, next) => (c.req.header('X-Panel-Script') === undefined ? page : json)(c, next);
}

/** Answers a request of the script: a refusal is a sentence to show. */
function asJson(run: (c: PanelContext) => Promise<Response>): Handler<PanelEnv> {
  return async (c) => {
    try {
      return await run(c);
    } catch (error) {
      if (!(error instanceof DomainError) || error.code === 'unauthenticated') throw error;
      const message = translate(languageOf(c), error.message);
      return c.json({ code: error.code, message }, statusOf[error.code] as 400);
    }
  };
}

async function create(c: PanelContext): Promise<Response> {
  const texts = textsFor(c, fileTexts);
  const folder = pathOf(c, 'folder');
  const typed = rawTextOf(c.var.form, 'name');
  const name = wireNameOfText(typed);
  if (name === undefined) throw new DomainError('precondition_failed', texts.failures.invalid);
  const path: WirePath = joinWirePath(folder, name);
  const isFolder = textOf(c.var.form, 'kind') === 'folder';
  await inFiles(c, (files) => (isFolder ? files.makeFolder(path) : files.makeFile(path)));
  await noteChange(c, 'files.change', path);
  const next = isFolder ? filePages.browse(path) : filePages.open(path);
  return goToWithNotice(c, next, texts.wasCreated(typed));
}

async function moveToTrash(c: PanelContext): Promise<Response> {
  const paths = pathsOf(c);
  await inFiles(c, (files) => files.delete(paths));
  await noteChange(c, 'files.delete', paths[0]!, paths.length);
  const folder = wireParentOf(paths[0]!);
  return goToWithNotice(c, filePages.browse(folder), textsFor(c, fileTexts).wasDeleted(paths.length));
}

/** Without the trash: when there is no room for it. */
async function remove(c: PanelContext): Promise<Response> {
  const path = pathOf(c, 'path');
  const answer = await inBackground(c, { kind: 'remove', paths: [path] }, wireParentOf(path));
  await noteChange(c, 'files.delete', path);
  return answer;
}

async function extract(c: PanelContext): Promise<Response> {
  const path = pathOf(c, 'path');
  await noteChange(c, 'files.extract', path);
  return await inBackground(c, { kind: 'extract', path }, wireParentOf(path));
}

async function forget(c: PanelContext): Promise<Response> {
  await inFiles(c, () => forgetJob(c, textOf(c.var.form, 'id')));
  return goTo(c, '/files');
}

import {
  EDITED_TEXT_MAX_BYTES,
  type FileStat,
  shownWirePath,
  type WirePath,
  wireNameAtEnd,
  wireParentOf,
} from '@innkeeper/domain';
import type { Child } from 'hono/jsx';
import type { PanelContext } from '../../env.ts';
import { FilesError } from '../../files/index.ts';
import { type Refused, rawTextOf, textOf } from '../../http/form.ts';
import { goToWithNotice } from '../../http/redirect.ts';
import { textsFor } from '../../language/language.ts';
import { useFormats, useTexts } from '../../language/use-texts.ts';
import { CsrfField, Refusal } from '../../ui/form.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Ago, Notice } from '../../ui/parts.tsx';
import { folderPage } from './browse-page.tsx';
import { bytesOfEdited, lineEndsOf } from './edited-text.ts';
import { failurePage } from './failure-page.tsx';
import { fileSize, shownMode } from './file-size.ts';
import { filePages, filesOf, inFiles, pathIn, refusalOf, sentenceOf } from './files.ts';
import { noteChange } from './note-change.ts';
import { PREVIEW_MAX_BYTES } from './preview.ts';
import { fileTexts } from './texts/index.ts';

const IMAGE = /\.(?:png|jpe?g|gif|webp)$/i;

interface Edited {
  text: string;
  encoding: string;
  lineEnds: string;
  etag: string;
}

/** A file beside the list of its folder: as text in an editor, as a picture, or with the reason why it is neither. */
export async function openPage(c: PanelContext, refused?: Refused): Promise<Response> {
  const path = pathIn(c);
  const files = filesOf(c);
  const name = shownWirePath(wireNameAtEnd(path));
  try {
    const stat = await files.stat(path);
    if (stat.kind === 'folder') return c.redirect(filePages.browse(path), 303);
    const isImage = IMAGE.test(name);
    const edited = isImage ? undefined : (refusedText(c, refused) ?? (await readText(c, path)));
    const isText = edited !== undefined && !(edited instanceof FilesError);
    return await folderPage(c, wireParentOf(path), {
      open: {
        name,
        status: refused?.status ?? 200,
        extras: isText ? ['editor.js'] : [],
        pane: (
          <Pane
            c={c}
            path={path}
            stat={stat}
            edited={isText ? edited : undefined}
            reason={edited instanceof FilesError ? edited : undefined}
            refused={refused}
          />
        ),
      },
    });
  } catch (error) {
    return failurePage(c, error);
  }
}

async function readText(c: PanelContext, path: WirePath): Promise<Edited | FilesError> {
  try {
    const { text, encoding, etag } = await filesOf(c).readText(path);
    return { text, encoding, etag, lineEnds: lineEndsOf(text) };
  } catch (error) {
    if (
      error instanceof FilesError &&
      ['binary', 'too_large', 'not_file', 'denied', 'outside'].includes(error.code)
    )
      return error;
    throw error;
  }
}

/** The text of a refused form is shown again: it exists nowhere else. */
function refusedText(c: PanelContext, refused: Refused | undefined): Edited | undefined {
  if (refused === undefined) return undefined;
  const { form } = c.var;
  return {
    text: rawTextOf(form, 'content'),
    encoding: textOf(form, 'encoding'),
    lineEnds: textOf(form, 'line_ends'),
    etag: textOf(form, 'etag'),
  };
}

interface PaneProps {
  c: PanelContext;
  path: WirePath;
  stat: FileStat;
  edited: Edited | undefined;
  reason: FilesError | undefined;
  refused: Refused | undefined;
}

function Pane({ c, path, stat, edited, reason, refused }: PaneProps) {
  const name = shownWirePath(wireNameAtEnd(path));
  if (edited !== undefined) return <Editor c={c} path={path} stat={stat} edited={edited} refused={refused} />;
  return (
    <>
      <div class="fm-bar">
        <FileName name={name} />
        <div class="row push">
          <FileLinks path={path} />
        </div>
      </div>
      <Preview path={path} name={name} stat={stat} reason={reason} />
      <FileFoot stat={stat} />
    </>
  );
}

function Preview({
  path,
  name,
  stat,
  reason,
}: Pick<PaneProps, 'path' | 'stat' | 'reason'> & { name: string }) {
  const texts = useTexts(fileTexts);
  if (IMAGE.test(name)) {
    if (stat.size > PREVIEW_MAX_BYTES) return <p class="fm-nothing">{texts.imageTooLarge}</p>;
    return (
      <div class="fm-image">
        <img src={filePages.image(path)} alt={texts.imageOf(name)} />
      </div>
    );
  }
  return <p class="fm-nothing">{reason === undefined ? texts.noPreview : sentenceOf(texts, reason)}</p>;
}

function FileName({ name, children }: { name: string; children?: Child }) {
  return (
    <div class="row">
      <Icon name="file-code" />
      <b class="cut">{name}</b>
      {children}
    </div>
  );
}

function FileLinks({ path }: { path: WirePath }) {
  const texts = useTexts(fileTexts);
  return (
    <>
      <a class="btn btn-quiet btn-small" href={filePages.download(path)} download>
        {texts.download}
      </a>
      <a class="btn btn-quiet btn-small" href={filePages.entry(path)}>
        {texts.permissions}
      </a>
      <a class="btn btn-quiet btn-small" href={filePages.browse(wireParentOf(path))}>
        {texts.close}
      </a>
    </>
  );
}

function FileFoot({ stat, children }: { stat: FileStat; children?: Child }) {
  const texts = useTexts(fileTexts);
  const formats = useFormats();
  return (
    <div class="card-foot">
      <span>{fileSize(formats, stat.size)}</span>
      {children}
      <span class="mono">{shownMode(stat.mode)}</span>
      <span class="push">
        {texts.lastChange} <Ago at={new Date(stat.mtime_ms)} />
      </span>
    </div>
  );
}

function Editor({
  c,
  path,
  stat,
  edited: { text, encoding, lineEnds, etag },
  refused,
}: Omit<PaneProps, 'reason' | 'edited'> & { edited: Edited }) {
  const texts = useTexts(fileTexts);
  const name = shownWirePath(wireNameAtEnd(path));
  const hasChanged = refused?.message === texts.failures.changed;
  return (
    <form method="post" action={filePages.save(path)} class="fm-editor" id="editor-form">
      <CsrfField c={c} />
      <input type="hidden" name="etag" value={etag} />
      <input type="hidden" name="encoding" value={encoding} />
      <input type="hidden" name="line_ends" value={lineEnds} />
      <div class="fm-bar">
        <FileName name={name}>
          <span class="badge badge-warn" id="editor-state" hidden>
            {texts.unsaved}
          </span>
        </FileName>
        <div class="row push">
          <button type="submit" class="btn btn-primary btn-small" aria-keyshortcuts="Control+S">
            {texts.save}
          </button>
          <FileLinks path={path} />
        </div>
      </div>
      <div id="editor-refusal" role="alert" hidden>
        <Notice tone="bad">
          <span id="editor-sentence" />
        </Notice>
      </div>
      <Refusal state={refused} />
      <p id="editor-overwrite" hidden={!hasChanged}>
        <button type="submit" class="btn btn-danger-line btn-small" name="overwrite" value="1">
          {texts.saveAnyway}
        </button>
      </p>
      {lineEnds === 'mixed' ? <p class="hint">{texts.mixedEnds}</p> : null}
      {/* A browser drops a line end at the beginning of the content. */}
      <textarea
        class="fm-text"
        name="content"
        id="editor"
        aria-label={texts.editorOf(name)}
        spellcheck={false}
        autocapitalize="none"
        autocomplete="off"
        wrap="off"
        data-name={name}
        maxlength={EDITED_TEXT_MAX_BYTES}
      >
        {`\n${text}`}
      </textarea>
      <FileFoot stat={stat}>
        <span>{encoding === 'latin1' ? 'ISO-8859-1' : 'UTF-8'}</span>
        <span>{texts.ofLines[lineEnds as keyof typeof texts.ofLines] ?? texts.ofLines.lf}</span>
      </FileFoot>
    </form>
  );
}

/** Saves the text of the editor, unless somebody else changed the file. The script gets JSON. */
export async function save(c: PanelContext): Promise<Response> {
  const texts = textsFor(c, fileTexts);
  const path = pathIn(c);
  const { form } = c.var;
  const content = bytesOfEdited(
    rawTextOf(form, 'content'),
    textOf(form, 'line_ends'),
    textOf(form, 'encoding'),
  );
  if (content === undefined) throw refusalOf(c, new FilesError('archive', { detail: texts.notInEncoding }));
  if (content.length > EDITED_TEXT_MAX_BYTES) throw refusalOf(c, new FilesError('too_large'));
  const overwrites = textOf(form, 'overwrite') === '1';
  const etag = overwrites ? undefined : textOf(form, 'etag');
  const saved = await inFiles(c, (files) => files.save(path, content, etag));
  await noteChange(c, 'files.change', path);
  if (c.req.header('X-Panel-Script') !== undefined) return c.json({ etag: saved.etag });
  return goToWithNotice(c, filePages.open(path), texts.saved);
}

import {
  DomainError,
  readWirePath,
  shownWirePath,
  type WirePath,
  wireNameAtEnd,
  wireNameOfText,
} from '@innkeeper/domain';
import type { PanelContext } from '../../env.ts';
import { type Refused, rawTextOf, textOf } from '../../http/form.ts';
import { goToWithNotice } from '../../http/redirect.ts';
import { textsFor } from '../../language/language.ts';
import { useTexts } from '../../language/use-texts.ts';
import { CsrfField, freshForm, Refusal, SelectField, TextField } from '../../ui/form.tsx';
import { page } from '../../ui/page.tsx';
import { Card } from '../../ui/parts.tsx';
import { filePages, inFiles, pathOf, pathsOf, refusalOf } from './files.ts';
import { startJob } from './jobs.ts';
import { noteChange } from './note-change.ts';
import { fileTexts } from './texts/index.ts';

/** What can be done with several files and folders at once. */
export function selectedPage(c: PanelContext, refused?: Refused): Response {
  const texts = textsFor(c, fileTexts);
  const paths = pathsOf(c);
  const folder = readWirePath(String(c.var.form.folder ?? '')) ?? '';
  return page(
    c,
    {
      title: texts.moveOrCopy,
      above: [
        { name: texts.title, path: '/files' },
        ...(folder === '' ? [] : [{ name: shownWirePath(folder), path: filePages.browse(folder) }]),
      ],
      status: refused?.status ?? 200,
    },
    <>
      <Refusal state={refused} />
      <Card title={texts.items(`${paths.length}`)}>
        <ul class="fm-names">
          {paths.slice(0, 20).map((path) => (
            <li>{shownWirePath(wireNameAtEnd(path))}</li>
          ))}
          {paths.length > 20 ? <li>…</li> : null}
        </ul>
      </Card>
      <div class="half">
        <Card title={texts.moveTitle}>
          <MoveForm c={c} paths={paths} folder={folder} typed={textOf(c.var.form, 'target') || undefined} />
        </Card>
        <Card title={texts.archive}>
          <ArchiveForm
            c={c}
            paths={paths}
            folder={folder}
            name={shownWirePath(wireNameAtEnd(folder)) || 'files'}
          />
        </Card>
      </div>
    </>,
  );
}

interface ChosenProps {
  c: PanelContext;
  paths: readonly WirePath[];
  folder: WirePath;
}

function Chosen({ c, paths, folder }: ChosenProps) {
  return (
    <>
      <CsrfField c={c} />
      <input type="hidden" name="folder" value={folder} />
      {paths.map((path) => (
        <input type="hidden" name="paths[]" value={path} />
      ))}
    </>
  );
}

export function MoveForm({ typed, ...chosen }: ChosenProps & { typed?: string | undefined }) {
  const texts = useTexts(fileTexts);
  const target = typed ?? shownWirePath(chosen.folder);
  return (
    <form method="post" action="/files/move" class="stack">
      <Chosen {...chosen} />
      <TextField
        state={freshForm({ target })}
        name="target"
        label={texts.target}
        hint={texts.targetHint}
        attributes={{ autocomplete: 'off', autocapitalize: 'none', spellcheck: false, maxlength: 1_000 }}
      />
      <div class="actions">
        <button type="submit" class="btn btn-primary">
          {texts.move}
        </button>
        <button type="submit" class="btn" formaction="/files/copy">
          {texts.copy}
        </button>
      </div>
    </form>
  );
}

export function ArchiveForm({ name, ...chosen }: ChosenProps & { name: string }) {
  const texts = useTexts(fileTexts);
  const state = freshForm({ archive: name, format: 'zip' });
  return (
    <form method="post" action="/files/archive" class="stack">
      <Chosen {...chosen} />
      <TextField
        state={state}
        name="archive"
        label={texts.archiveName}
        attributes={{
          required: true,
          maxlength: 240,
          autocomplete: 'off',
          autocapitalize: 'none',
          spellcheck: false,
        }}
      />
      <SelectField
        state={state}
        name="format"
        label={texts.format}
        options={[
          ['zip', 'ZIP'],
          ['tar.gz', 'tar.gz'],
        ]}
      />
      <div class="actions">
        <button type="submit" class="btn">
          {texts.createArchive}
        </button>
      </div>
    </form>
  );
}

/** The typed path of a folder: relative to the home, or with the home as `~`. */
function targetOf(c: PanelContext): WirePath {
  const typed = rawTextOf(c.var.form, 'target')
    .trim()
    .replace(/^~?\/?/, '')
    .replace(/\/+$/, '');
  if (typed === '') return '';
  const names = typed.split('/').map(wireNameOfText);
  if (names.includes(undefined))
    throw new DomainError('precondition_failed', textsFor(c, fileTexts).failures.invalid);
  return names.join('/');
}

export async function move(c: PanelContext): Promise<Response> {
  const paths = pathsOf(c);
  const target = targetOf(c);
  await inFiles(c, (files) => files.move(paths, target));
  await noteChange(c, 'files.change', target);
  return goToWithNotice(c, filePages.browse(target), textsFor(c, fileTexts).wasMoved(paths.length));
}

export async function copy(c: PanelContext): Promise<Response> {
  const target = targetOf(c);
  return await inBackground(c, { kind: 'copy', paths: pathsOf(c), folder: target }, target);
}

export async function archive(c: PanelContext): Promise<Response> {
  const folder = pathOf(c, 'folder');
  const format = textOf(c.var.form, 'format') === 'tar.gz' ? 'tar.gz' : 'zip';
  const typed = textOf(c.var.form, 'archive').replace(/\.(?:zip|tar\.gz|tgz)$/i, '');
  const name = `${typed}.${format}`;
  if (wireNameOfText(name) === undefined)
    throw new DomainError('precondition_failed', textsFor(c, fileTexts).failures.invalid);
  return await inBackground(c, { kind: 'archive', paths: pathsOf(c), folder, name, format }, folder);
}

/** Starts a job and returns to a folder, where its progress is shown. */
export async function inBackground(
  c: PanelContext,
  job: Parameters<typeof startJob>[1],
  folder: WirePath,
): Promise<Response> {
  const texts = textsFor(c, fileTexts);
  try {
    const { state } = await startJob(c, job);
    if (job.kind !== 'extract' && job.kind !== 'remove') await noteChange(c, 'files.change', folder);
    const sentence = state === 'done' ? texts.jobFinished : texts.inBackground;
    return goToWithNotice(c, filePages.browse(folder), sentence);
  } catch (error) {
    throw refusalOf(c, error);
  }
}

import {
  ARCHIVE_NAME,
  type FileStat,
  joinWirePath,
  shownWirePath,
  typedName,
  type WirePath,
  wireNameAtEnd,
  wireNameOfText,
  wireParentOf,
} from '@innkeeper/domain';
import type { PanelContext } from '../../env.ts';
import { type Refused, rawTextOf, textOf, wrongFields } from '../../http/form.ts';
import { goToWithNotice } from '../../http/redirect.ts';
import { textsFor } from '../../language/language.ts';
import { useFormats, useTexts } from '../../language/use-texts.ts';
import {
  ButtonForm,
  CheckField,
  Confirm,
  type FormState,
  freshForm,
  PostForm,
  Refusal,
  TextField,
} from '../../ui/form.tsx';
import { page } from '../../ui/page.tsx';
import { Card, Facts, Moment } from '../../ui/parts.tsx';
import { failurePage } from './failure-page.tsx';
import { fileSize, shownMode } from './file-size.ts';
import { filePages, filesOf, inFiles, pathIn } from './files.ts';
import { noteChange } from './note-change.ts';
import { ArchiveForm, MoveForm } from './selected-page.tsx';
import { fileTexts } from './texts/index.ts';

/** One file or folder: its name, place and permissions. */
export async function entryPage(c: PanelContext, refused?: Refused): Promise<Response> {
  const texts = textsFor(c, fileTexts);
  const path = pathIn(c);
  let stat: FileStat;
  try {
    stat = await filesOf(c).stat(path);
  } catch (error) {
    return failurePage(c, error);
  }
  const name = path === '' ? texts.home : shownWirePath(wireNameAtEnd(path));
  const folder = wireParentOf(path);
  const state = refused ?? freshForm();
  const isRefused = (form: string) => (c.req.path.startsWith(`/files/${form}`) ? refused : undefined);
  return page(
    c,
    {
      title: `${name} · ${texts.title}`,
      heading: name,
      above: [
        { name: texts.title, path: '/files' },
        ...(folder === '' ? [] : [{ name: shownWirePath(folder), path: filePages.browse(folder) }]),
      ],
      status: refused?.status ?? 200,
    },
    <>
      <Refusal state={refused} />
      <Described stat={stat} />
      {path === '' ? null : (
        <div class="half">
          <Rename c={c} path={path} refused={isRefused('rename')} />
          <Card title={texts.moveTitle}>
            <MoveForm c={c} paths={[path]} folder={folder} />
          </Card>
        </div>
      )}
      {stat.kind === 'link' ? null : <Permissions c={c} path={path} stat={stat} state={state} />}
      <div class="half">
        {stat.kind === 'file' && ARCHIVE_NAME.test(name) ? (
          <Card title={texts.extract}>
            <p>{texts.extractHint}</p>
            <ButtonForm c={c} action="/files/extract" submit={texts.extract} fields={{ path }} />
          </Card>
        ) : null}
        {path === '' ? null : (
          <>
            <Card title={texts.archive}>
              <ArchiveForm c={c} paths={[path]} folder={folder} name={name} />
            </Card>
            <Card title={texts.delete}>
              <p>{texts.deleteHint}</p>
              <ButtonForm
                c={c}
                action="/files/delete"
                submit={texts.delete}
                danger
                fields={{ 'paths[]': path, folder }}
              />
              <Confirm
                c={c}
                action="/files/remove"
                ask={texts.removeForGood}
                submit={texts.removeForGood}
                fields={{ path }}
              >
                <p>{texts.removeWarning}</p>
              </Confirm>
            </Card>
          </>
        )}
      </div>
    </>,
  );
}

function Described({ stat }: { stat: FileStat }) {
  const texts = useTexts(fileTexts);
  const formats = useFormats();
  return (
    <Card title={texts.about}>
      <Facts
        facts={[
          [texts.path, <code>{stat.path === '' ? '~' : shownWirePath(stat.path)}</code>],
          ...(stat.kind === 'file' ? [[texts.size, fileSize(formats, stat.size)] as const] : []),
          ...(stat.kind === 'link' ? [[texts.link, <code>{stat.target ?? ''}</code>] as const] : []),
          ...(stat.kind === 'other' ? [[texts.name, texts.special] as const] : []),
          [texts.changed, <Moment at={new Date(stat.mtime_ms)} />],
          [texts.permissions, <code>{shownMode(stat.mode)}</code>],
        ]}
      />
    </Card>
  );
}

function Rename({ c, path, refused }: { c: PanelContext; path: WirePath; refused: Refused | undefined }) {
  const texts = useTexts(fileTexts);
  const name = typedName(wireNameAtEnd(path));
  const state = refused ?? freshForm({ name: name ?? '' });
  return (
    <Card title={texts.rename}>
      <PostForm
        c={c}
        action={`/files/rename/${path}`}
        state={{ ...state, message: undefined }}
        submit={texts.rename}
      >
        <TextField
          state={state}
          name="name"
          label={texts.newNameOf}
          hint={name === undefined ? texts.renameHint : undefined}
          attributes={{
            required: true,
            maxlength: 255,
            autocomplete: 'off',
            autocapitalize: 'none',
            spellcheck: false,
          }}
        />
      </PostForm>
    </Card>
  );
}

function Permissions({
  c,
  path,
  stat,
  state,
}: {
  c: PanelContext;
  path: WirePath;
  stat: FileStat;
  state: FormState;
}) {
  const texts = useTexts(fileTexts);
  const isTyped = typeof state.values.mode === 'string';
  const values = isTyped ? state.values : { mode: shownMode(stat.mode), files: '644', folders: '755' };
  const form = { ...state, values, message: undefined };
  const digits = {
    pattern: '[0-7]{3}',
    inputmode: 'numeric',
    maxlength: 3,
    required: true,
    autocomplete: 'off',
  };
  return (
    <Card title={texts.permissions}>
      <PostForm c={c} action={`/files/permissions/${path}`} state={form} submit={texts.setPermissions}>
        <TextField state={form} name="mode" label={texts.mode} hint={texts.modeHint} attributes={digits} />
        {stat.kind === 'folder' ? (
          <>
            <CheckField state={form} name="below" label={texts.below} />
            <TextField state={form} name="files" label={texts.filesMode} attributes={digits} />
            <TextField state={form} name="folders" label={texts.foldersMode} attributes={digits} />
          </>
        ) : null}
      </PostForm>
    </Card>
  );
}

export async function rename(c: PanelContext): Promise<Response> {
  const texts = textsFor(c, fileTexts);
  const path = pathIn(c);
  const typed = rawTextOf(c.var.form, 'name');
  const name = wireNameOfText(typed);
  if (name === undefined) throw wrongFields(c, { name: [texts.failures.invalid] });
  const to = joinWirePath(wireParentOf(path), name);
  if (to !== path) await inFiles(c, (files) => files.rename(path, to));
  await noteChange(c, 'files.change', path);
  return goToWithNotice(c, filePages.entry(to), texts.wasRenamed(typed));
}

export async function setPermissions(c: PanelContext): Promise<Response> {
  const texts = textsFor(c, fileTexts);
  const path = pathIn(c);
  const modeIn = (field: string): number => {
    const text = textOf(c.var.form, field);
    if (!/^[0-7]{3}$/.test(text)) throw wrongFields(c, { [field]: [texts.modeWrong] });
    return Number.parseInt(text, 8);
  };
  const mode = modeIn('mode');
  const isBelow = textOf(c.var.form, 'below') === '1';
  const below = isBelow ? { files: modeIn('files'), folders: modeIn('folders') } : undefined;
  const changed = await inFiles(c, (files) =>
    files.setMode(path, { mode, ...(below === undefined ? {} : { below }) }),
  );
  await noteChange(c, 'files.permissions', path, changed);
  return goToWithNotice(c, filePages.entry(path), texts.permissionsSet(`${changed}`));
}

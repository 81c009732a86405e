import { shownWirePath, type TrashList, wireParentOf } from '@innkeeper/domain';
import type { PanelContext } from '../../env.ts';
import type { Refused } from '../../http/form.ts';
import { goToWithNotice } from '../../http/redirect.ts';
import { textsFor } from '../../language/language.ts';
import { useFormats, useTexts } from '../../language/use-texts.ts';
import { ButtonForm, Confirm, Refusal } from '../../ui/form.tsx';
import { page } from '../../ui/page.tsx';
import { Ago, Card, Empty, Notice, Table } from '../../ui/parts.tsx';
import { failurePage } from './failure-page.tsx';
import { fileSize } from './file-size.ts';
import { filePages, filesOf, inFiles, listOf, refusalOf } from './files.ts';
import { startJob } from './jobs.ts';
import { noteChange } from './note-change.ts';
import { fileTexts } from './texts/index.ts';

/** What was deleted, with the way back. */
export async function trashPage(c: PanelContext, refused?: Refused): Promise<Response> {
  const texts = textsFor(c, fileTexts);
  let list: TrashList;
  try {
    list = await filesOf(c).listTrash();
  } catch (error) {
    return failurePage(c, error);
  }
  return page(
    c,
    {
      title: texts.trash,
      above: [{ name: texts.title, path: '/files' }],
      status: refused?.status ?? 200,
      actions:
        list.items.length === 0 ? undefined : (
          <Confirm
            c={c}
            action="/files/trash/empty"
            ask={texts.emptyTrash}
            submit={texts.emptyTrash}
            open={refused !== undefined}
          >
            <p>{texts.emptyWarning}</p>
          </Confirm>
        ),
    },
    <>
      <Refusal state={refused} />
      <Notice>{texts.deleteHint}</Notice>
      <Card title={texts.trash}>
        {list.items.length === 0 ? <Empty>{texts.trashEmpty}</Empty> : <Deleted c={c} list={list} />}
        {list.is_cut ? <p class="muted">{texts.cut}</p> : null}
      </Card>
    </>,
  );
}

function Deleted({ c, list: { items } }: { c: PanelContext; list: TrashList }) {
  const texts = useTexts(fileTexts);
  const formats = useFormats();
  return (
    <Table
      caption={texts.trash}
      headings={[texts.name, texts.from, texts.size, texts.deletedAt, '']}
      rows={items.map(({ name, path, deleted_ms, size, kind }) => [
        shownWirePath(name),
        path === null ? texts.unknownPlace : `~/${shownWirePath(wireParentOf(path))}`,
        kind === 'folder' ? '' : fileSize(formats, size),
        <Ago at={deleted_ms === null ? null : new Date(deleted_ms)} never={texts.unknownPlace} />,
        <div class="actions">
          <ButtonForm
            c={c}
            action="/files/trash/restore"
            submit={texts.restore}
            label={`${texts.restore}: ${shownWirePath(name)}`}
            fields={{ 'names[]': name }}
          />
          <Confirm
            c={c}
            action="/files/trash/empty"
            ask={texts.removeForGood}
            submit={texts.removeForGood}
            fields={{ 'names[]': name }}
          >
            <p>{texts.removeWarning}</p>
          </Confirm>
        </div>,
      ])}
    />
  );
}

export async function restore(c: PanelContext): Promise<Response> {
  const texts = textsFor(c, fileTexts);
  const [path = ''] = await inFiles(c, (files) => files.restore(listOf(c.var.form, 'names')));
  await noteChange(c, 'files.change', path);
  return goToWithNotice(c, filePages.browse(wireParentOf(path)), texts.wasRestored(shownWirePath(path)));
}

/** Deletes entries of the trash for good, or everything in it. */
export async function emptyTrash(c: PanelContext): Promise<Response> {
  const texts = textsFor(c, fileTexts);
  const names = listOf(c.var.form, 'names');
  try {
    const { state } = await startJob(c, { kind: 'remove', ...(names.length === 0 ? {} : { names }) });
    await noteChange(c, 'files.delete', names[0] ?? '.local/share/Trash', names.length || 1);
    const done = names.length === 0 ? texts.trashEmptied : texts.wasRemoved;
    return goToWithNotice(
      c,
      state === 'done' ? '/files/trash' : '/files',
      state === 'done' ? done : texts.inBackground,
    );
  } catch (error) {
    throw refusalOf(c, error);
  }
}

import { type SearchFinds, shownWirePath, type WirePath, wireParentOf } from '@innkeeper/domain';
import type { PanelContext } from '../../env.ts';
import { textsFor } from '../../language/language.ts';
import { useFormats, useTexts } from '../../language/use-texts.ts';
import { freshForm, SelectField, TextField } from '../../ui/form.tsx';
import { page } from '../../ui/page.tsx';
import { Card, Empty, Notice } from '../../ui/parts.tsx';
import { failurePage } from './failure-page.tsx';
import { filePages, filesOf, pathIn } from './files.ts';
import { fileTexts } from './texts/index.ts';

/** Searches a folder and everything in it, by name or by text. */
export async function searchPage(c: PanelContext): Promise<Response> {
  const texts = textsFor(c, fileTexts);
  const path = pathIn(c);
  const text = (c.req.query('text') ?? '').slice(0, 200);
  const by = c.req.query('by') === 'content' ? 'content' : 'name';
  let finds: SearchFinds | undefined;
  try {
    if (text !== '') finds = await filesOf(c).search(path, { text, by });
  } catch (error) {
    return failurePage(c, error);
  }
  const state = freshForm({ text, by });
  return page(
    c,
    {
      title: texts.search,
      above: [
        { name: texts.title, path: '/files' },
        ...(path === '' ? [] : [{ name: shownWirePath(path), path: filePages.browse(path) }]),
      ],
    },
    <>
      <Card title={texts.search}>
        <form method="get" action={filePages.search(path)} class="stack">
          <TextField
            state={state}
            name="text"
            label={texts.searchFor}
            type="search"
            attributes={{ required: true, maxlength: 200, autocapitalize: 'none', spellcheck: false }}
          />
          <SelectField
            state={state}
            name="by"
            label={texts.searchBy}
            options={[
              ['name', texts.byName],
              ['content', texts.byContent],
            ]}
          />
          <div class="actions">
            <button type="submit" class="btn btn-primary">
              {texts.searchHere}
            </button>
          </div>
        </form>
      </Card>
      {finds === undefined ? null : <Results finds={finds} text={text} />}
    </>,
  );
}

function Results({ finds: { finds, is_cut }, text }: { finds: SearchFinds; text: string }) {
  const texts = useTexts(fileTexts);
  const { number } = useFormats();
  if (finds.length === 0 && !is_cut) return <Empty>{texts.foundNothing(text)}</Empty>;
  return (
    <Card title={texts.found(finds.length, text)}>
      {is_cut ? <Notice tone="warn">{texts.foundCut}</Notice> : null}
      <ul class="rows">
        {finds.map(({ path, kind, line, excerpt }) => (
          <li>
            <div class="grow">
              <a href={hrefOf(path, kind)}>{shownWirePath(path)}</a>
              {excerpt === undefined ? null : (
                <p class="muted">
                  {line === undefined ? '' : `${texts.line(number(line))}: `}
                  <code>{excerpt}</code>
                </p>
              )}
            </div>
            <a class="btn btn-small btn-quiet" href={filePages.browse(wireParentOf(path))}>
              {texts.target}
            </a>
          </li>
        ))}
      </ul>
    </Card>
  );
}

function hrefOf(path: WirePath, kind: string): string {
  if (kind === 'folder') return filePages.browse(path);
  return kind === 'file' ? filePages.open(path) : filePages.entry(path);
}

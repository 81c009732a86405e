import {
  ARCHIVE_NAME,
  type FileEntry,
  type FileList,
  type FileOrder,
  joinWirePath,
  shownWirePath,
  type WirePath,
} from '@innkeeper/domain';
import type { PanelContext } from '../../env.ts';
import { useFormats, useTexts } from '../../language/use-texts.ts';
import { CsrfField } from '../../ui/form.tsx';
import { Icon, type IconName } from '../../ui/icon.tsx';
import { Ago, Empty } from '../../ui/parts.tsx';
import { type ListQuery, PER_PAGE } from './browse-page.tsx';
import { fileSize } from './file-size.ts';
import { filePages } from './files.ts';
import { fileTexts } from './texts/index.ts';

interface RowsProps {
  c: PanelContext;
  folder: WirePath;
  list: FileList;
  query: ListQuery;
  /** The shown name of the open file. */
  open: string | undefined;
}

/** The list of a folder: its order and filter, rows with a menu each, and what can be done with the selected ones. */
export function FileRows({ c, folder, list, query, open }: RowsProps) {
  const texts = useTexts(fileTexts);
  const base = filePages.browse(folder);
  return (
    <>
      <form method="get" action={base} class="fm-filter">
        <input
          class="input"
          type="search"
          name="filter"
          value={query.filter}
          aria-label={texts.filter}
          placeholder={texts.filter}
        />
        <Order base={base} query={query} />
      </form>
      {list.total === 0 ? (
        <Empty>
          {query.filter === '' ? (
            texts.empty
          ) : (
            <>
              {texts.noMatch(query.filter)} <a href={base}>{texts.clear}</a>
            </>
          )}
        </Empty>
      ) : (
        <form method="post" action="/files/selected" id="chosen">
          <CsrfField c={c} />
          <input type="hidden" name="folder" value={folder} />
          <ul class="fm-rows">
            {list.entries.map((entry) => (
              <Row folder={folder} entry={entry} isOpen={shownWirePath(entry.name) === open} />
            ))}
          </ul>
          <div class="fm-chosen">
            <span>{texts.chosen}</span>
            <button type="submit" class="btn btn-small">
              {texts.moveOrCopy}
            </button>
            <button type="submit" class="btn btn-small" formaction="/files/zip">
              {texts.downloadZip}
            </button>
            <button type="submit" class="btn btn-small btn-danger-line" formaction="/files/delete">
              {texts.delete}
            </button>
          </div>
        </form>
      )}
      <Turn base={base} list={list} query={query} />
    </>
  );
}

function Order({ base, query }: { base: string; query: ListQuery }) {
  const texts = useTexts(fileTexts);
  const names: Record<FileOrder, string> = { name: texts.name, size: texts.size, time: texts.changed };
  return (
    <span class="fm-order">
      {(['name', 'size', 'time'] as const).map((order) => {
        const isOrder = order === query.order;
        // What is large or new is looked for first.
        const descending = isOrder ? !query.descending : order !== 'name';
        return (
          <a
            href={to(base, { ...query, order, descending, page: 1 })}
            aria-current={isOrder ? 'true' : undefined}
          >
            {names[order]}
            {isOrder ? (query.descending ? ' ↓' : ' ↑') : ''}
          </a>
        );
      })}
    </span>
  );
}

function Turn({ base, list, query }: { base: string; list: FileList; query: ListQuery }) {
  const texts = useTexts(fileTexts);
  const { number } = useFormats();
  const from = (query.page - 1) * PER_PAGE;
  const end = from + list.entries.length;
  if (!list.is_cut && list.total <= PER_PAGE && from === 0) return null;
  return (
    <nav class="pager" aria-label={texts.path}>
      {query.page > 1 ? (
        <a rel="prev" href={to(base, { ...query, page: query.page - 1 })}>
          {texts.previous}
        </a>
      ) : null}
      <span>{texts.range(number(from + 1), number(end), number(list.total))}</span>
      {end < list.total ? (
        <a rel="next" href={to(base, { ...query, page: query.page + 1 })}>
          {texts.next}
        </a>
      ) : null}
      {list.is_cut ? <p>{texts.cut}</p> : null}
    </nav>
  );
}

function to(base: string, { order, descending, page, filter }: ListQuery): string {
  const query = new URLSearchParams();
  if (order !== 'name') query.set('order', order);
  if (descending) query.set('descending', '1');
  if (page > 1) query.set('page', `${page}`);
  if (filter !== '') query.set('filter', filter);
  return query.size === 0 ? base : `${base}?${query}`;
}

function Row({ folder, entry, isOpen }: { folder: WirePath; entry: FileEntry; isOpen: boolean }) {
  const texts = useTexts(fileTexts);
  const formats = useFormats();
  const path = joinWirePath(folder, entry.name);
  const name = shownWirePath(entry.name);
  const leadsTo = entry.kind === 'link' ? entry.leads_to : entry.kind;
  const isFolder = leadsTo === 'folder';
  const href = isFolder
    ? filePages.browse(path)
    : leadsTo === 'file'
      ? filePages.open(path)
      : filePages.entry(path);
  return (
    <li class={isOpen ? 'item is-open' : 'item'}>
      <input type="checkbox" name="paths[]" value={path} aria-label={texts.select(name)} />
      <Icon name={isFolder ? 'folder' : iconOf(name, entry.kind)} />
      <a href={href} aria-current={isOpen ? 'true' : undefined} title={name}>
        {name}
        {entry.kind === 'link' ? <small class="fm-link">{linkText(entry, texts)}</small> : null}
      </a>
      <small>{entry.kind === 'file' ? fileSize(formats, entry.size) : ''}</small>
      <small class="fm-time">
        <Ago at={new Date(entry.mtime_ms)} />
      </small>
      <details class="menu" name="menu">
        <summary class="btn btn-quiet btn-icon btn-small" aria-label={texts.more(name)}>
          <Icon name="more" />
        </summary>
        <div class="menu-list">
          {isFolder ? (
            <a href={filePages.zip(path)} download>
              <Icon name="download" />
              {texts.downloadZip}
            </a>
          ) : leadsTo === 'file' ? (
            <a href={filePages.download(path)} download>
              <Icon name="download" />
              {texts.download}
            </a>
          ) : null}
          <a href={filePages.entry(path)}>
            <Icon name="pencil" />
            {texts.properties}
          </a>
          {leadsTo === 'file' && ARCHIVE_NAME.test(name) ? (
            <button type="submit" form="row" formaction="/files/extract" name="path" value={path}>
              <Icon name="file-archive" />
              {texts.extract}
            </button>
          ) : null}
          <hr />
          <button
            type="submit"
            form="row"
            formaction="/files/delete"
            name="paths[]"
            value={path}
            class="danger"
          >
            <Icon name="trash-2" />
            {texts.delete}
          </button>
        </div>
      </details>
    </li>
  );
}

function linkText({ target, leads_to }: FileEntry, texts: typeof fileTexts.en): string {
  if (leads_to === 'outside') return ` ${texts.linkOutside}`;
  if (leads_to === 'nothing') return ` ${texts.linkBroken}`;
  return target === undefined ? '' : ` → ${target}`;
}

const CODE =
  /\.(?:php\d*|phtml|html?|css|scss|less|m?[jt]sx?|json|xml|ya?ml|sql|sh|py|rb|md|ini|conf|env|htaccess|vue|twig)$/i;
const IMAGE = /\.(?:png|jpe?g|gif|webp|avif|svg|ico|bmp)$/i;
const ARCHIVE = /\.(?:zip|tar|t?gz|bz2|xz|zst|7z|rar)$/i;

function iconOf(name: string, kind: FileEntry['kind']): IconName {
  if (kind === 'link') return 'link';
  if (ARCHIVE.test(name)) return 'file-archive';
  if (IMAGE.test(name)) return 'image';
  return CODE.test(name) ? 'file-code' : 'file';
}

import {
  type FileJob,
  type FileList,
  type FileOrder,
  type FolderTree,
  fileOrders,
  type WirePath,
} from '@innkeeper/domain';
import { getUsage, type UsageView } from '@innkeeper/services';
import type { Child } from 'hono/jsx';
import type { PanelContext } from '../../env.ts';
import type { Refused } from '../../http/form.ts';
import { customerContext } from '../../http/session.ts';
import { textsFor } from '../../language/language.ts';
import { useFormats, useTexts } from '../../language/use-texts.ts';
import { CsrfField, Refusal } from '../../ui/form.tsx';
import { page } from '../../ui/page.tsx';
import { failurePage } from './failure-page.tsx';
import { FileRows } from './file-rows.tsx';
import { filePages, filesOf, pathIn } from './files.ts';
import { FolderTreeNav, PathNav } from './folder-tree.tsx';
import { Jobs } from './job-list.tsx';
import { listJobs } from './jobs.ts';
import { fileTexts } from './texts/index.ts';
import { FileTools } from './tools.tsx';

export const PER_PAGE = 200;

export interface ListQuery {
  order: FileOrder;
  descending: boolean;
  page: number;
  filter: string;
}

/** A folder: its tree, its list and, on the right, the file that is open. */
export async function browsePage(c: PanelContext, refused?: Refused): Promise<Response> {
  return await folderPage(c, pathIn(c), { refused });
}

/** What the right side of the page shows of a file. */
export interface OpenPane {
  name: string;
  status?: number;
  extras?: readonly 'editor.js'[];
  pane: Child;
}

export async function folderPage(
  c: PanelContext,
  folder: WirePath,
  { refused, open }: { refused?: Refused | undefined; open?: OpenPane } = {},
): Promise<Response> {
  const texts = textsFor(c, fileTexts);
  const query = listQuery(c);
  const files = filesOf(c);
  const ctx = customerContext(c);
  const { order, descending, filter } = query;
  const offset = (query.page - 1) * PER_PAGE;
  let found: [FileList, FolderTree, FileJob[]];
  try {
    found = await Promise.all([
      files.list(folder, { order, descending, filter, offset, limit: PER_PAGE }),
      files.tree(folder),
      listJobs(c, files),
    ]);
  } catch (error) {
    return failurePage(c, error);
  }
  const [list, tree, jobs] = found;
  const usage = await getUsage(ctx, { account_id: ctx.actor.accountId }).catch(() => undefined);
  return page(
    c,
    {
      title: open === undefined ? texts.title : `${open.name} · ${texts.title}`,
      heading: texts.title,
      facts: <Used usage={usage} />,
      actions: <FileTools c={c} folder={folder} />,
      status: refused?.status ?? open?.status ?? 200,
      wide: true,
      extras: ['files.css', 'files.js', ...(open?.extras ?? [])],
    },
    <>
      <Refusal state={refused} />
      <section
        class={open === undefined ? 'card fm' : 'card fm has-open'}
        aria-label={texts.manager}
        data-files={filePages.browse('')}
        data-folder={folder}
        data-words={JSON.stringify(texts.uploadWords)}
      >
        <FolderTreeNav tree={tree} />
        <div class="fm-list" data-drop={texts.dropHere}>
          <div class="fm-bar">
            <PathNav path={folder} />
          </div>
          <FileRows c={c} folder={folder} list={list} query={query} open={open?.name} />
        </div>
        <div class="fm-edit">{open?.pane ?? <p class="fm-nothing">{texts.pickFile}</p>}</div>
      </section>
      <ul class="fm-uploads" id="uploads" hidden aria-live="polite" />
      <Jobs c={c} jobs={jobs} path={filePages.browse(folder)} />
      <form id="row" method="post" hidden>
        <CsrfField c={c} />
        <input type="hidden" name="back" value={folder} />
      </form>
    </>,
  );
}

function Used({ usage }: { usage: UsageView | undefined }) {
  const texts = useTexts(fileTexts);
  const { size } = useFormats();
  if (usage === undefined || usage.measured_at === null) return <>{''}</>;
  return <>{texts.used(size(usage.disk_used_mb), size(usage.disk_limit_mb))}</>;
}

function listQuery(c: PanelContext): ListQuery {
  const order = c.req.query('order') as FileOrder;
  const number = Number(c.req.query('page') ?? 1);
  return {
    order: fileOrders.includes(order) ? order : 'name',
    descending: c.req.query('descending') === '1',
    page: Number.isSafeInteger(number) && number >= 1 && number <= 10_000 ? number : 1,
    filter: (c.req.query('filter') ?? '').slice(0, 100),
  };
}

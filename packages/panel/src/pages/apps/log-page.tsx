import { DomainError } from '@innkeeper/domain';
import { getApp, readAppLog } from '@innkeeper/services';
import type { PanelContext } from '../../env.ts';
import { recordId } from '../../http/record-id.ts';
import { customerContext } from '../../http/session.ts';
import { page } from '../../ui/page.tsx';
import { Card, Notice } from '../../ui/parts.tsx';

const LINES = 200;

/** The two logs of an app, by their addresses below its page. */
const logs = {
  log: { log: 'app-log', title: 'Program output', heading: (name: string) => `Log of ${name}` },
  'build-log': {
    log: 'build-log',
    title: 'Output of the newest build',
    heading: (name: string) => `Build log of ${name}`,
  },
} as const;

/** The newest output of an app's program or build. The page refreshes every 5 s while it is open. */
export async function logPage(c: PanelContext, at: keyof typeof logs): Promise<Response> {
  const ctx = customerContext(c);
  const app_id = recordId(c);
  const { name } = await getApp(ctx, { app_id });
  const path = `/apps/${app_id}`;
  const { log, title, heading } = logs[at];
  const output = await readLog(c, { app_id, log });
  return page(
    c,
    {
      title: heading(name),
      above: [
        { name: 'Apps', path: '/apps' },
        { name, path },
      ],
    },
    <Card
      title={title}
      actions={
        <a class="btn" href={`${path}/${at}`}>
          Refresh
        </a>
      }
    >
      <p class="muted">{`The newest ${LINES} lines, oldest first. With JavaScript the page refreshes them every 5 s.`}</p>
      <div id="log" data-live={`${path}/${at}`} data-every="5">
        <Log output={output} />
      </div>
    </Card>,
  );
}

/** The lines, or the reason why they are not available. */
async function readLog(
  c: PanelContext,
  of: { app_id: number; log: 'app-log' | 'build-log' },
): Promise<string[] | string> {
  try {
    return await readAppLog(customerContext(c), { ...of, lines: LINES });
  } catch (error) {
    if (error instanceof DomainError && error.code === 'unavailable') return error.message;
    throw error;
  }
}

function Log({ output }: { output: string[] | string }) {
  if (typeof output === 'string') return <Notice tone="warn">{output}</Notice>;
  if (output.length === 0) return <p class="empty">No output yet.</p>;
  return (
    <div class="tail" role="log" aria-label="Log" tabindex={0}>
      <pre>{output.join('\n')}</pre>
    </div>
  );
}

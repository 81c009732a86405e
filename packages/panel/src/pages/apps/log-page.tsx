import { DomainError } from '@innkeeper/domain';
import { getApp, readAppLog } from '@innkeeper/services';
import type { PanelContext } from '../../env.ts';
import { recordId } from '../../http/record-id.ts';
import { customerContext } from '../../http/session.ts';
import { page } from '../../ui/page.tsx';
import { Card, Notice } from '../../ui/parts.tsx';

const LINES = 200;

/** The newest output of an app's program. The page refreshes every 5 s while it is open. */
export async function logPage(c: PanelContext): Promise<Response> {
  const ctx = customerContext(c);
  const app_id = recordId(c);
  const { name } = await getApp(ctx, { app_id });
  const path = `/apps/${app_id}`;
  return page(
    c,
    {
      title: `Log of ${name}`,
      above: [
        { name: 'Apps', path: '/apps' },
        { name, path },
      ],
    },
    <Card
      title="Program output"
      actions={
        <a class="btn" href={`${path}/log`}>
          Refresh
        </a>
      }
    >
      <p class="muted">{`The newest ${LINES} lines, oldest first. With JavaScript the page refreshes them every 5 s.`}</p>
      <div id="log" data-live={`${path}/log`} data-every="5">
        <Log output={await readLog(c, app_id)} />
      </div>
    </Card>,
  );
}

/** The lines, or the reason why they are not available. */
async function readLog(c: PanelContext, app_id: number): Promise<string[] | string> {
  try {
    return await readAppLog(customerContext(c), { app_id, lines: LINES });
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

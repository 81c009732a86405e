import { DomainError } from '@innkeeper/domain';
import { getApp, readAppLog } from '@innkeeper/services';
import type { PanelContext } from '../../env.ts';
import { recordId } from '../../http/record-id.ts';
import { customerContext } from '../../http/session.ts';
import { languageOf, textsFor } from '../../language/language.ts';
import { translate } from '../../language/sentences/translate.ts';
import { useTexts } from '../../language/use-texts.ts';
import { page } from '../../ui/page.tsx';
import { Card, Notice } from '../../ui/parts.tsx';
import { appTexts } from './texts/index.ts';

const LINES = 200;

/** The two logs of an app, by their addresses below its page. */
const logs = { log: 'app-log', 'build-log': 'build-log' } as const;

/** The newest output of an app's program or build. The page refreshes every 5 s while it is open. */
export async function logPage(c: PanelContext, at: keyof typeof logs): Promise<Response> {
  const texts = textsFor(c, appTexts);
  const ctx = customerContext(c);
  const app_id = recordId(c);
  const { name } = await getApp(ctx, { app_id });
  const path = `/apps/${app_id}`;
  const { title, heading } = texts.logs[at];
  const output = await readLog(c, { app_id, log: logs[at] });
  return page(
    c,
    {
      title: heading(name),
      above: [
        { name: texts.apps, path: '/apps' },
        { name, path },
      ],
    },
    <Card
      title={title}
      actions={
        <a class="btn" href={`${path}/${at}`}>
          {texts.refresh}
        </a>
      }
    >
      <p class="muted">{texts.logLines(LINES)}</p>
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
    if (error instanceof DomainError && error.code === 'unavailable')
      return translate(languageOf(c), error.message);
    throw error;
  }
}

function Log({ output }: { output: string[] | string }) {
  const texts = useTexts(appTexts);
  if (typeof output === 'string') return <Notice tone="warn">{output}</Notice>;
  if (output.length === 0) return <p class="empty">{texts.noOutput}</p>;
  return (
    <div class="tail" role="log" aria-label={texts.logLabel} tabindex={0}>
      <pre>{output.join('\n')}</pre>
    </div>
  );
}

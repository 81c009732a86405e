import { type Action, shownWirePath, type WirePath } from '@innkeeper/domain';
import { noteFileChange } from '@innkeeper/services';
import type { PanelContext } from '../../env.ts';
import { customerContext } from '../../http/session.ts';

type FileAction = Extract<Action, `files.${string}`>;

/** Edits and uploads come by the hundred: one row says that a session makes them. */
const OFTEN: ReadonlySet<FileAction> = new Set(['files.change', 'files.upload']);
const EVERY_MS = 10 * 60_000;
const MOST_REMEMBERED = 10_000;
const NAME_MAX_CHARACTERS = 200;
const noted = new Map<string, number>();

/** Writes an audit row for a change of files. The first of an action that is frequent, and the next one ten minutes later. */
export async function noteChange(
  c: PanelContext,
  action: FileAction,
  path: WirePath,
  count = 1,
): Promise<void> {
  const ctx = customerContext(c);
  const key = `${ctx.sessionId} ${action}`;
  const now = Date.now();
  if (OFTEN.has(action)) {
    if (now - (noted.get(key) ?? 0) < EVERY_MS) return;
    if (noted.size >= MOST_REMEMBERED) noted.clear();
    noted.set(key, now);
  }
  const name = path === '' ? '~' : shownWirePath(path).slice(-NAME_MAX_CHARACTERS);
  await noteFileChange(ctx, { action, name, count });
}

import type { AppView } from '@innkeeper/contract';
import type { ServiceContext } from '../context.ts';
import type { Written } from '../desired-state.ts';
import { changeRunning } from './change-running.ts';

/**
 * Stops the program of an app until it is started again. Its site shows that it is stopped. The next start runs the
 * newest deployed release. Throws like `changeRunning`.
 */
export async function stopApp(
  ctx: ServiceContext,
  { app_id }: { app_id: number },
): Promise<Written<AppView>> {
  return await changeRunning(ctx, { app_id, state: 'stopped' });
}

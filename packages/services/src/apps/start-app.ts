import type { AppView } from '@innkeeper/contract';
import type { ServiceContext } from '../context.ts';
import type { Written } from '../desired-state.ts';
import { changeRunning } from './change-running.ts';

/** Starts the program of an app. Throws like `changeRunning`. */
export async function startApp(
  ctx: ServiceContext,
  { app_id }: { app_id: number },
): Promise<Written<AppView>> {
  return await changeRunning(ctx, { app_id, state: 'running' });
}

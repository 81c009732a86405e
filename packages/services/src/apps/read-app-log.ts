import { getAccountDetails, getAppDetails } from '@innkeeper/db';
import { DomainError } from '@innkeeper/domain';
import type { ServiceContext } from '../context.ts';
import { scopeOf } from '../scope.ts';

/** Maximum number of lines in one request to a node. */
export const APP_LOG_MAX_LINES = 1_000;

/**
 * The newest log lines of an app's program or of its newest build, oldest first, read from its node now. Empty if nothing
 * was logged. Throws `not_found`, `precondition_failed` for the program of an app without one, and `unavailable` if its node does
 * not answer. Never call it inside a transaction: it waits for the node.
 */
export async function readAppLog(
  ctx: ServiceContext,
  { app_id, lines, log = 'app-log' }: { app_id: number; lines: number; log?: 'app-log' | 'build-log' },
): Promise<string[]> {
  const scope = scopeOf(ctx.actor);
  const { account_id, runtime } = await getAppDetails(ctx.db, scope, app_id);
  if (log === 'app-log' && runtime !== 'nodejs')
    throw new DomainError('precondition_failed', `App ${app_id} runs no program of its own: it has no log.`);
  const { node_id } = await getAccountDetails(ctx.db, scope, account_id);
  const question = { account_id, app_id, lines: Math.min(lines, APP_LOG_MAX_LINES) };
  const answer = await ctx.askNode(node_id, log, question);
  if (answer === undefined)
    throw new DomainError(
      'unavailable',
      `The hosting server of app ${app_id} does not answer now. Try again in a minute.`,
    );
  return answer.lines.slice(-lines).map(plain);
}

/** Untrusted: lines from a node must not control a terminal. */
function plain(line: string): string {
  return line.replace(/[^\P{Cc}\t]/gu, '?');
}

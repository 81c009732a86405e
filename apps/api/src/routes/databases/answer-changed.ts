import type { DatabaseView, Written } from '@innkeeper/services';
import type { AnswerOf, Asked } from '../../http/route.ts';
import { settle } from '../accounts/settle.ts';

/** Returns the database after a change, once its node has applied the change or the timeout has ended. */
export async function answerChanged(
  { deps, context }: Pick<Asked<'resetDatabasePassword'>, 'deps' | 'context'>,
  written: Written<DatabaseView>,
): Promise<AnswerOf<'resetDatabasePassword'>> {
  await settle(deps, written);
  return { data: await deps.services.getDatabase(context, { database_id: written.view.id }) };
}

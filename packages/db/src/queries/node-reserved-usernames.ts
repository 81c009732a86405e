import type { Transaction } from 'kysely';
import type { Database } from '../schema/index.ts';

const namesInOneStatement = 2_000;

/**
 * Replaces the account names that a node reserves with `names`. Writes only the difference, in batches of some thousand
 * names, because an agent reports the same names at every start. The caller has locked the node.
 */
export async function replaceReservedUsernames(
  trx: Transaction<Database>,
  nodeId: number,
  names: ReadonlySet<string>,
): Promise<void> {
  const rows = await trx
    .selectFrom('node_reserved_usernames')
    .select('username')
    .where('node_id', '=', nodeId)
    .execute();
  const stored = new Set(rows.map((row) => row.username));
  for (const gone of batches([...stored].filter((name) => !names.has(name))))
    await trx
      .deleteFrom('node_reserved_usernames')
      .where('node_id', '=', nodeId)
      .where('username', 'in', gone)
      .execute();
  for (const added of batches([...names].filter((name) => !stored.has(name))))
    await trx
      .insertInto('node_reserved_usernames')
      .values(added.map((username) => ({ node_id: nodeId, username })))
      .execute();
}

function* batches(names: readonly string[]): Generator<string[]> {
  for (let start = 0; start < names.length; start += namesInOneStatement)
    yield names.slice(start, start + namesInOneStatement);
}

import { type Database, findNodesWithLoad } from '@innkeeper/db';
import type { NodeFigures } from '@innkeeper/protocol';
import type { Kysely } from 'kysely';
import { type NodeView, nodeView } from './node-view.ts';

/** Figures of a node that is offline are those of its last heartbeat, so `figures` is empty then. */
export interface NodeWithFigures extends NodeView {
  readonly figures: NodeFigures;
}

/** All nodes with the figures of their last heartbeats, for the metrics of the control plane. One SQL statement. */
export async function listNodeFigures(db: Kysely<Database>): Promise<NodeWithFigures[]> {
  const rows = await findNodesWithLoad(db, undefined);
  return rows.map((row) => {
    const view = nodeView(row);
    const figures = row.figures === null || !view.online ? {} : (JSON.parse(row.figures) as NodeFigures);
    return { ...view, figures };
  });
}

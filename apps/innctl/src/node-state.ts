import type { NodeView } from '@innkeeper/services';

/** The state of a node in words. A node can be offline and cordoned at the same time. */
export function nodeState({ state, cordoned }: NodeView): string {
  return cordoned && state !== 'cordoned' ? `${state}, cordoned` : state;
}

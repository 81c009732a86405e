import type { NodeView } from '@innkeeper/services';

/** The state of a node in words: one that is offline and takes no accounts either is both. */
export function nodeState({ state, cordoned }: NodeView): string {
  return cordoned && state !== 'cordoned' ? `${state}, cordoned` : state;
}

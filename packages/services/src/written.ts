/** What a write answers: the record, and which generation of which account its node has to make true. */
export interface Written<View> {
  view: View;
  nodeId: number;
  accountId: number;
  generation: number;
}

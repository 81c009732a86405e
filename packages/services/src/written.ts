/** Result of a write: the record, and the account and generation that the node must apply. */
export interface Written<View> {
  view: View;
  nodeId: number;
  accountId: number;
  generation: number;
}

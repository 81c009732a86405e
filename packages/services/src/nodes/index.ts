export { addNode } from './add-node.ts';
export type { AskNode } from './ask-node.ts';
export { cordonNode, uncordonNode } from './cordon-node.ts';
export { enrollNode, requireJoinSecret } from './enroll-node.ts';
export { findOnlineCounts } from './find-online-counts.ts';
export { getNode } from './get-node.ts';
export { heartbeat } from './heartbeat.ts';
export type { IssuedIdentity } from './issue-identity.ts';
export { JOIN_SECRET_MAX_SECONDS, type JoinSecret } from './join-secret.ts';
export { listNodeNames } from './list-node-names.ts';
export { listNodes } from './list-nodes.ts';
export type { NodeRef } from './node-ref.ts';
export type { NodeSession } from './node-session.ts';
export type { NodeView } from './node-view.ts';
export { pullAccounts } from './pull-accounts.ts';
export { readArchive } from './read-archive.ts';
export { type RegisterSessionInput, registerSession } from './register-session.ts';
export { removeNode } from './remove-node.ts';
export { renewIdentity } from './renew-identity.ts';
export { renewJoinToken } from './renew-join-token.ts';
export {
  createRequireIdentity,
  type PresentedCertificate,
  type RequireIdentity,
} from './require-identity.ts';
export { revokeNode } from './revoke-node.ts';
export { serverWarningSentence } from './server-warning.ts';
export { acceptNodeCapacity, setNodeCapacity } from './set-node-capacity.ts';
export { type StoredReport, type StoreReportInput, storeReport } from './store-report.ts';
export { createStoreReport, type StoreReport } from './store-reports.ts';

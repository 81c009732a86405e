export { findAuthorityOfServer } from './authority-of-server.ts';
export { enrollNode, renewNodeIdentity } from './enroll.ts';
export {
  certificateSpan,
  connectAsNode,
  type NodeIdentity,
  nodeIdentitySchema,
} from './node-identity.ts';
export { connectSecurely } from './secure-client.ts';
export { splitTarget } from './target.ts';

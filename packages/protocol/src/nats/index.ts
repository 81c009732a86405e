export { generateNatsAccountKeys, type NatsAccountKeys, signNatsAccount } from './account.ts';
export { type NatsServerConfig, renderNatsServerConfig } from './server-config.ts';
export {
  generateNatsUserKey,
  makeControlPlaneCredentials,
  type NatsUserSigner,
  signNodeNatsUser,
} from './user-jwt.ts';

export { generateNatsAccountKeys, type NatsAccountKeys, signNatsAccount } from './account.ts';
export { type NatsServerConfig, renderNatsServerConfig } from './server-config.ts';
export {
  checkNatsUserKey,
  generateNatsUserKey,
  makeControlPlaneCredentials,
  type NatsUserSigner,
  signNodeNatsUser,
} from './user-jwt.ts';

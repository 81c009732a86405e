export {
  generateNatsAccountKeys,
  type NatsAccountKeys,
  type RevokedNatsUser,
  signAccountClaims,
  signNatsAccount,
} from './account.ts';
export { pushAccountClaims } from './push-account-claims.ts';
export { type NatsServerConfig, renderNatsServerConfig } from './server-config.ts';
export {
  checkNatsUserKey,
  generateNatsUserKey,
  makeControlPlaneCredentials,
  type NatsUserSigner,
  signNodeNatsUser,
} from './user-jwt.ts';

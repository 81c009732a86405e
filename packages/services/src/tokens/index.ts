export { authenticateToken, type TokenIdentity } from './authenticate-token.ts';
export { type CreateTokenInput, createToken } from './create-token.ts';
export { listLiveTokens, type TokenPage } from './list-live-tokens.ts';
export { listNewTokens } from './list-new-tokens.ts';
export { listTokens } from './list-tokens.ts';
export { revokeToken } from './revoke-token.ts';
export type { TokenView } from './token-view.ts';
export { touchToken } from './touch-token.ts';

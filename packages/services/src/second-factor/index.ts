export { beginTotp } from './begin-totp.ts';
export { confirmTotp } from './confirm-totp.ts';
export { disableTotp } from './disable-totp.ts';
export type { SecondFactorKind } from './spend-code.ts';
export { verifySecondFactor } from './verify-second-factor.ts';

export { beginTotp, type TotpBegun } from './begin-totp.ts';
export { confirmTotp } from './confirm-totp.ts';
export { disableTotp } from './disable-totp.ts';
export { findSecondFactorSince } from './find-second-factor-since.ts';
export { renewRecoveryCodes } from './renew-recovery-codes.ts';
export { resetSecondFactor } from './reset-second-factor.ts';

export { beginTotp, type TotpBegun } from './begin-totp.ts';
export { confirmTotp } from './confirm-totp.ts';
export { disableTotp } from './disable-totp.ts';
export { findSecondFactorState, type SecondFactorState } from './find-second-factor-state.ts';
export { renewRecoveryCodes } from './renew-recovery-codes.ts';
export { resetSecondFactor } from './reset-second-factor.ts';
export { unlockSecondFactor } from './unlock-second-factor.ts';

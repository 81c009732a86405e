export { claimKey, KEY_LEASE_S, type KeyClaim, type KeyReading } from './claim-key.ts';
export { type KeyOutcome, renewKey, settleKey } from './settle-key.ts';
export { writeOnce } from './write-once.ts';

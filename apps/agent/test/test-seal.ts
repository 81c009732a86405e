import { LedgerSeal } from '../src/ledger/ledger-seal.ts';

/** Of ledgers in tests. */
export const testSeal = new LedgerSeal(Buffer.alloc(32, 7));

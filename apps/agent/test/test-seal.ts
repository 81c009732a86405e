import { LedgerSeal } from '../src/ledger/ledger-seal.ts';

/** Seal of the ledgers in tests. */
export const testSeal = new LedgerSeal(Buffer.alloc(32, 7));

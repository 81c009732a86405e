/** Writes the figures of the last run of the project `vm` into the table of docs/reliability.md. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Proof, proofTable } from '@innkeeper/testkit/machine';
import { provenTitles } from './reliability.ts';

const ROOT = join(import.meta.dirname, '..');
const PAGE = join(ROOT, 'docs/reliability.md');

const proofs = JSON.parse(readFileSync(join(ROOT, '.toolchain/proofs.json'), 'utf8')) as Proof[];
const rows = provenTitles().map((title) => {
  const proof = proofs.find(({ fault, promise }) => `${fault}: ${promise}` === title);
  if (proof === undefined)
    throw new Error(`The last run did not show: ${title}. Run ./scripts/test --project vm`);
  return proof;
});
const [before] = readFileSync(PAGE, 'utf8').split('| fault |', 1);
writeFileSync(PAGE, `${before}${proofTable(rows)}`);

/**
 * Writes the figures of the last run of the project `vm` into the table of docs/reliability.md. What that run did not show
 * on a system keeps its figures: only `./scripts/test --all` shows everything on each.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ProofRow, proofTable } from '@innkeeper/testkit/machine';
import { pageRows, provenPromises, titleOf } from './reliability.ts';

const ROOT = join(import.meta.dirname, '..');
const PAGE = join(ROOT, 'docs/reliability.md');

const page = readFileSync(PAGE, 'utf8');
const before = new Map(pageRows(page).map((row) => [titleOf(row), row.seen]));
const proofs = JSON.parse(readFileSync(join(ROOT, '.toolchain/proofs.json'), 'utf8')) as ProofRow[];
const shown = new Map(proofs.map((row) => [titleOf(row), row.seen]));
const rows = provenPromises().map((promise) => {
  const title = titleOf(promise);
  const seen = { ...before.get(title), ...shown.get(title) };
  if (!seen.debian12) console.warn(`Not shown yet on Debian 12: ${title}. Run ./scripts/test --project vm`);
  return { ...promise, seen };
});
const [text] = page.split('| fault |', 1);
writeFileSync(PAGE, `${text}${proofTable(rows)}`);

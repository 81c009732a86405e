import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A row of docs/reliability.md. */
export interface Proof {
  fault: string;
  promise: string;
  seen: string;
}

const FILE = 'proofs.jsonl';

/** Records a row for the end of the test run. */
export function noteProof(proof: Proof): void {
  const stateDir = process.env.INNKEEPER_TEST_STATE;
  if (stateDir !== undefined) appendFileSync(join(stateDir, FILE), `${JSON.stringify(proof)}\n`);
}

/** Returns the rows of a run, in the order in which the tests ended. The newest of each test. */
export function readProofs(stateDir: string): Proof[] {
  const file = join(stateDir, FILE);
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, 'utf8').trim().split('\n');
  const rows = lines.map((line) => JSON.parse(line) as Proof);
  return [...new Map(rows.map((row) => [`${row.fault}: ${row.promise}`, row])).values()];
}

/** Returns the rows as a Markdown table. */
export function proofTable(proofs: readonly Proof[]): string {
  const cell = (text: string) => text.replaceAll('|', '\\|');
  const row = ({ fault, promise, seen }: Proof) => `| ${cell(fault)} | ${cell(promise)} | ${cell(seen)} |\n`;
  return `| fault | promise | seen |\n| --- | --- | --- |\n${proofs.map(row).join('')}`;
}

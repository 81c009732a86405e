import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { VirtualMachineSystem } from '../virtual-machine/virtual-machine-image.ts';

/** A cell of docs/reliability.md. */
interface Proof {
  system: VirtualMachineSystem;
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

/** A row of docs/reliability.md: what was seen of a promise on each system. */
export interface ProofRow {
  fault: string;
  promise: string;
  seen: Partial<Record<VirtualMachineSystem, string>>;
}

const COLUMNS: Readonly<Record<VirtualMachineSystem, string>> = {
  debian12: 'seen on Debian 12',
  debian13: 'seen on Debian 13',
};

/** Returns the rows of a run, in the order in which the tests ended. The newest of each test. */
export function readProofs(stateDir: string): ProofRow[] {
  const file = join(stateDir, FILE);
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, 'utf8').trim().split('\n');
  const rows = new Map<string, ProofRow>();
  for (const { system, fault, promise, seen } of lines.map((line) => JSON.parse(line) as Proof)) {
    const title = `${fault}: ${promise}`;
    rows.set(title, { fault, promise, seen: { ...rows.get(title)?.seen, [system]: seen } });
  }
  return [...rows.values()];
}

/** Returns the rows as a Markdown table. */
export function proofTable(rows: readonly ProofRow[]): string {
  const cell = (text: string) => text.replaceAll('|', '\\|');
  const systems = Object.keys(COLUMNS) as VirtualMachineSystem[];
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |\n`;
  return [
    line(['fault', 'promise', ...Object.values(COLUMNS)]),
    line(['---', '---', ...systems.map(() => '---')]),
    ...rows.map(({ fault, promise, seen }) =>
      line([fault, promise, ...systems.map((system) => seen[system] ?? '')].map(cell)),
    ),
  ].join('');
}

/**
 * `pnpm verify`: every check that needs no server. The unit tests run beside the other checks, because one lane alone
 * leaves a core idle. Each step prints one line when it ends; a failed one prints its output.
 */
import { spawn } from 'node:child_process';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '..');

type Step = [what: string, ...command: string[]];

const lanes: Step[][] = [
  [['unit tests', 'vitest', 'run', '--config', 'vitest.workspace.ts', '--project', 'unit']],
  [
    ['format and lint', 'biome', 'ci', '.'],
    ['import rules', 'node', 'scripts/check-imports.ts'],
    ['security table', 'node', 'scripts/check-security-table.ts'],
    ['paths in docs', 'node', 'scripts/check-doc-paths.ts'],
    ['types', 'tsc'],
    ['dead code', 'knip'],
  ],
];

async function run([what, program, ...args]: Step): Promise<boolean> {
  const startedAt = performance.now();
  const child = spawn(program!, args, { cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe'] });
  const output: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => output.push(chunk));
  const passed = await new Promise<boolean>((resolve) => {
    child.once('error', (error) => {
      output.push(Buffer.from(`${error.message}. Run this with pnpm verify, after pnpm install.\n`));
      resolve(false);
    });
    child.once('close', (code) => resolve(code === 0));
  });
  const seconds = ((performance.now() - startedAt) / 1_000).toFixed(1);
  console.log(`${what.padEnd(16)} ${passed ? 'ok' : 'failed'}  ${seconds} s`);
  if (!passed) process.stdout.write(Buffer.concat(output));
  return passed;
}

async function runLane(steps: Step[]): Promise<boolean> {
  let passed = true;
  for (const step of steps) passed = (await run(step)) && passed;
  return passed;
}

const results = await Promise.all(lanes.map(runLane));
process.exitCode = results.every(Boolean) ? 0 : 1;

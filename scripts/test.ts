import { execFileSync, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { projectStateDir, type StartingProject, takeProjectState } from '@innkeeper/testkit/machine';
import { buildBundles } from './build.ts';
import { countResults, type JsonReport, lastLine } from './test-results.ts';

const ROOT = join(import.meta.dirname, '..');

/**
 * Builds the bundles, runs vitest once for all projects, and counts the results. The projects start and remove their
 * servers themselves. If vitest was killed, this script removes what is left.
 */
async function main(projects: string[], filters: string[], since: string | undefined): Promise<boolean> {
  const runs = (project: string) => projects.length === 0 || projects.includes(project);
  if (runs('boxes') || runs('vm')) await buildBundles();
  else if (runs('integration')) await buildBundles(['innkeeper-api', 'innkeeper-files']);
  const folder = await mkdtemp(join(tmpdir(), 'innkeeper-test-'));
  const reportFile = join(folder, 'results.json');
  try {
    const exitCode = await runVitest(reportFile, projects, filters, since);
    const text = await readFile(reportFile, 'utf8').catch(() => undefined);
    const counts = countResults(text === undefined ? undefined : (JSON.parse(text) as JsonReport), exitCode);
    console.log(lastLine(counts));
    return counts.failed === 0 && (counts.passed > 0 || since !== undefined);
  } finally {
    await rm(folder, { recursive: true, force: true });
    for (const project of ['integration', 'boxes', 'vm'] satisfies StartingProject[]) {
      if (runs(project) && existsSync(projectStateDir(project)))
        await (await takeProjectState(project)).end();
    }
  }
}

async function runVitest(
  reportFile: string,
  projects: string[],
  filters: string[],
  since: string | undefined,
): Promise<number> {
  const vitest = join(ROOT, 'node_modules/vitest/vitest.mjs');
  const argv = [
    'run',
    '--config',
    'vitest.workspace.ts',
    '--reporter=default',
    '--reporter=json',
    '--reporter=./scripts/run-report.ts',
  ];
  const child = spawn(
    process.execPath,
    [
      vitest,
      ...argv,
      `--outputFile.json=${reportFile}`,
      // The filter `boxes` also selects `boxes-alone`.
      ...projects.map((name) => `--project=${name}*`),
      ...(since === undefined ? [] : [`--changed=${since}`]),
      ...filters,
    ],
    { cwd: ROOT, stdio: ['ignore', 'inherit', 'inherit'] },
  );
  // Forwards the signal to vitest. The servers that vitest started are removed after it has ended.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => child.kill(signal));
  return await new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve(code ?? 1));
  });
}

function git(...args: string[]): string {
  return execFileSync('git', args, {
    cwd: ROOT,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  }).trim();
}

/** A number that differs from commit to commit: which steps the crash tests kill at. */
function sampleOfCommit(): number {
  try {
    return Number.parseInt(git('rev-parse', 'HEAD').slice(0, 4), 16);
  } catch {
    return 0; // not a clone
  }
}

/** The commit at which the branch left main. Without a main, or on it, only uncommitted changes count. */
function branchPoint(): string {
  for (const main of ['origin/main', 'main']) {
    try {
      return git('merge-base', 'HEAD', main);
    } catch {}
  }
  return git('rev-parse', 'HEAD');
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    all: { type: 'boolean', default: false },
    changed: { type: 'boolean', default: false },
    project: { type: 'string', multiple: true },
    database: { type: 'string' },
  },
});
if (values.all) process.env.INNKEEPER_TEST_ALL = 'true';
process.env.INNKEEPER_TEST_SAMPLE ??= `${sampleOfCommit()}`;
console.log(`INNKEEPER_TEST_SAMPLE=${process.env.INNKEEPER_TEST_SAMPLE}`);
if (values.database !== undefined) process.env.INNKEEPER_TEST_DATABASE = values.database;
try {
  const since = values.changed ? branchPoint() : undefined;
  const projects = values.changed ? ['unit', 'integration'] : (values.project ?? []);
  if (values.changed)
    console.log(
      `Running the tests that import files changed since ${since}. Box tests are not selected by changes.`,
    );
  process.exitCode = (await main(projects, positionals, since)) ? 0 : 1;
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  console.log(lastLine({ passed: 0, failed: 1, skipped: 0 }));
  process.exitCode = 1;
}

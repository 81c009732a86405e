import type { Reporter, TestCase, TestModule } from 'vitest/node';

/** The number of slowest files and tests to print, and the minimum duration of a slow test in ms. */
const SLOWEST = 25;
const SLOW_MS = 1_000;

interface Timed {
  name: string;
  ms: number;
}

/**
 * Additional report of a full test run, beside vitest's own:
 * - the name and the first error of each failed test immediately, not at the end of the run;
 * - the tests that passed only after a retry (in CI only: vitest.workspace.ts);
 * - the slowest files and tests of each run, to show the cost of the tests.
 */
export default class RunReport implements Reporter {
  readonly #secondTries: string[] = [];
  readonly #tests: Timed[] = [];
  readonly #files: Timed[] = [];

  onTestCaseResult(test: TestCase): void {
    const name = `${test.module.relativeModuleId} > ${test.fullName}`;
    const result = test.result();
    if (result.state === 'failed') console.log(`failed: ${name}\n  ${result.errors[0]?.message ?? ''}`);
    const diagnostic = test.diagnostic();
    if (diagnostic === undefined) return;
    if (diagnostic.flaky) this.#secondTries.push(name);
    this.#tests.push({ name, ms: diagnostic.duration });
  }

  onTestModuleEnd(file: TestModule): void {
    const { setupDuration, collectDuration, prepareDuration, duration } = file.diagnostic();
    const ms = setupDuration + collectDuration + prepareDuration + duration;
    this.#files.push({ name: file.relativeModuleId, ms });
  }

  onTestRunEnd(): void {
    printSlowest('files', this.#files);
    printSlowest('tests', this.#tests);
    for (const name of this.#secondTries) console.log(`passed with the second try: ${name}`);
  }
}

function printSlowest(what: string, timed: readonly Timed[]): void {
  const slow = timed.filter(({ ms }) => ms >= SLOW_MS);
  const slowest = slow.toSorted((a, b) => b.ms - a.ms).slice(0, SLOWEST);
  if (slowest.length === 0) return;
  console.log(`slowest ${what}:`);
  for (const { name, ms } of slowest) console.log(`${(ms / 1_000).toFixed(1).padStart(7)} s  ${name}`);
}

import type { Reporter, TestCase } from 'vitest/node';

/**
 * Names the tests that passed with their second try. Tests that run real servers have one: a machine that is busy
 * with something else must not stop a release, and nobody shall overlook a test that often needs it.
 */
export default class SecondTries implements Reporter {
  readonly #names: string[] = [];

  onTestCaseResult(test: TestCase): void {
    if (test.diagnostic()?.flaky) this.#names.push(`${test.module.relativeModuleId} > ${test.fullName}`);
  }

  onTestRunEnd(): void {
    for (const name of this.#names) console.log(`passed with the second try: ${name}`);
  }
}

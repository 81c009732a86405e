import { expect, it } from 'vitest';
import { countResults, type JsonReport, lastLine } from './test-results.ts';

const report = (overrides: Partial<JsonReport>): JsonReport => ({
  numPassedTests: 3,
  numFailedTests: 0,
  numPendingTests: 0,
  numTodoTests: 0,
  testResults: [{ status: 'passed', assertionResults: [{ status: 'passed' }] }],
  ...overrides,
});

it('counts what passed, failed and was skipped', () => {
  const counts = countResults(report({ numFailedTests: 2, numPendingTests: 1, numTodoTests: 1 }), 1);
  expect(lastLine(counts)).toBe('3 passed, 2 failed, 2 skipped');
});

it('does not mention skipped tests when there are none', () => {
  expect(lastLine(countResults(report({}), 0))).toBe('3 passed, 0 failed');
});

it('counts a file that could not be loaded as one failure', () => {
  const testResults = [{ status: 'failed', assertionResults: [] }];
  expect(countResults(report({ testResults }), 1)).toEqual({ passed: 3, failed: 1, skipped: 0 });
});

it('never reports a failed run as passed', () => {
  expect(countResults(report({}), 1).failed).toBe(1);
  expect(countResults(undefined, 0).failed).toBe(1);
});

/** The part of vitest's JSON report that is counted. */
export interface JsonReport {
  numPassedTests: number;
  numFailedTests: number;
  numPendingTests: number;
  numTodoTests: number;
  /** One entry for each file. */
  testResults: { status: string; assertionResults: { status: string }[] }[];
}

export interface Counts {
  passed: number;
  failed: number;
  skipped: number;
}

/**
 * Counts the results of a run. A file that could not be run counts as one failure. A run that failed although none of
 * its tests did, or that left no report, also counts as one failure.
 */
export function countResults(report: JsonReport | undefined, exitCode: number): Counts {
  if (report === undefined) return { passed: 0, failed: 1, skipped: 0 };
  const brokenFiles = report.testResults.filter(
    (file) =>
      file.status === 'failed' && !file.assertionResults.some((assertion) => assertion.status === 'failed'),
  ).length;
  const failed = report.numFailedTests + brokenFiles;
  return {
    passed: report.numPassedTests,
    failed: failed === 0 && exitCode !== 0 ? 1 : failed,
    skipped: report.numPendingTests + report.numTodoTests,
  };
}

export function lastLine({ passed, failed, skipped }: Counts): string {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
}

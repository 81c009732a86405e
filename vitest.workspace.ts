import { defineConfig } from 'vitest/config';

/**
 * The three kinds of test, run one after the other. `unit` needs nothing; `integration` starts a MariaDB
 * and a NATS of its own; `boxes` starts a whole installation from the bundles in dist/, and runs one file
 * at a time because a file measures its box's limits. The last two need root, and their tests have a second
 * try (scripts/run-report.ts).
 */
export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'unit',
          // Pure tests share their modules: importing them anew for each file took most of the time.
          isolate: false,
          // Some walk through hours of a clock that is turned by hand: that takes processor time.
          testTimeout: 60_000,
          sequence: { groupOrder: 1 },
          include: ['{apps,packages}/*/src/**/*.test.ts', 'scripts/**/*.test.ts'],
        },
      },
      {
        test: {
          name: 'integration',
          sequence: { groupOrder: 2 },
          globalSetup: 'packages/testkit/src/test-run/integration-setup.ts',
          include: ['{apps,packages}/*/test/integration/**/*.test.ts'],
          testTimeout: 30_000,
          retry: 1,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'boxes',
          sequence: { groupOrder: 3 },
          globalSetup: 'packages/testkit/src/test-run/boxes-setup.ts',
          include: ['apps/*/test/boxes/**/*.test.ts'],
          testTimeout: 120_000,
          retry: 1,
          hookTimeout: 180_000,
          fileParallelism: false,
        },
      },
    ],
  },
});

import { defineConfig } from 'vitest/config';

/** Files of boxes that measure what a whole server does, or that saturate the machine: they run one at a time. */
const ALONE = [
  'apps/agent/test/boxes/{attack,drivers-limits,respawners,usage}.test.ts',
  'apps/api/test/boxes/**/*.test.ts',
];

const boxes = {
  globalSetup: 'packages/testkit/src/test-run/boxes-setup.ts',
  testTimeout: 120_000,
  retry: 1,
  hookTimeout: 180_000,
};

/**
 * The kinds of test, run one after the other. `unit` needs nothing; `integration` starts a MariaDB and a NATS of its
 * own; `boxes` and `boxes-alone` share a whole installation, started from the bundles in dist/. Files of `boxes` wait
 * more than they compute, so two of them run at a time, each in boxes of its own. The last three need root, and their
 * tests have a second try (scripts/run-report.ts).
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
          maxWorkers: 2,
        },
      },
      {
        test: {
          name: 'integration',
          sequence: { groupOrder: 2 },
          globalSetup: 'packages/testkit/src/test-run/integration-setup.ts',
          include: ['{apps,packages}/*/test/integration/**/*.test.ts'],
          maxWorkers: 2,
          testTimeout: 30_000,
          retry: 1,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          ...boxes,
          name: 'boxes',
          sequence: { groupOrder: 3 },
          include: ['apps/*/test/boxes/**/*.test.ts'],
          exclude: ALONE,
          maxWorkers: 2,
        },
      },
      {
        test: {
          ...boxes,
          name: 'boxes-alone',
          sequence: { groupOrder: 4 },
          include: ALONE,
          fileParallelism: false,
        },
      },
    ],
  },
});

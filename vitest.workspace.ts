import { existsSync } from 'node:fs';
import { defineConfig } from 'vitest/config';
import LongestFirst from './scripts/longest-first.ts';

/** Box tests that measure a whole server, or that saturate the machine. They run one at a time. */
const ALONE = [
  'apps/agent/test/boxes/{attack,drivers-limits,respawners,usage}.test.ts',
  'apps/api/test/boxes/**/*.test.ts',
];

/**
 * CI gives a failed test with real servers a second try: other load on its machine must not stop a release. The run
 * prints such tests, and docs/development.md lists them with their cause until they are mended.
 */
const retry = process.env.CI === 'true' && process.env.INNKEEPER_TEST_ALL !== 'true' ? 1 : 0;

const boxes = {
  globalSetup: 'packages/testkit/src/test-run/boxes-setup.ts',
  testTimeout: 120_000,
  retry,
  hookTimeout: 180_000,
};

/**
 * The test projects, run one after the other. `unit` needs no server. `integration` starts its own MariaDB and NATS.
 * `boxes` and `boxes-alone` share a complete installation, started from the bundles in dist/. Files of `boxes` wait
 * more than they compute, so two of them run at a time, each in its own boxes. The last three projects need root.
 */
export default defineConfig({
  test: {
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        test: {
          name: 'unit',
          // Pure tests share their modules: importing them again for each file took most of the time.
          isolate: false,
          // Some tests step through hours of a fake clock, which takes CPU time.
          testTimeout: 60_000,
          sequence: { groupOrder: 1 },
          include: ['{apps,packages}/*/src/**/*.test.ts', 'scripts/**/*.test.ts'],
          maxWorkers: 2,
          // Many tests write durably. In memory that takes no time.
          ...(existsSync('/dev/shm') && { env: { TMPDIR: '/dev/shm' } }),
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
          retry,
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

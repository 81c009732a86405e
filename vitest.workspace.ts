import { existsSync } from 'node:fs';
import { defineConfig } from 'vitest/config';
import LongestFirst from './scripts/longest-first.ts';

/**
 * Box tests that measure a whole server, or that saturate the machine. They run after all others, two at a time: an
 * attack takes a minute and one of two CPUs.
 */
const ALONE = ['apps/agent/test/boxes/{attack,drivers-limits,respawners,usage}.test.ts'];

/**
 * CI gives a failed test with real servers a second try: other load on its machine must not stop a release. The run
 * prints such tests, and docs/development.md lists them with their cause until they are mended.
 */
const retry = process.env.CI === 'true' && process.env.INNKEEPER_TEST_ALL !== 'true' ? 1 : 0;

/** Calls of verbs on a database of the file's own: nothing in the process is left for the next file. */
const VERBS = 'packages/services/test/integration/**/*.test.ts';

const integration = {
  globalSetup: 'packages/testkit/src/test-run/integration-setup.ts',
  sequence: { groupOrder: 2 },
  maxWorkers: 3,
  testTimeout: 30_000,
  retry,
  hookTimeout: 60_000,
};

const boxes = {
  globalSetup: 'packages/testkit/src/test-run/boxes-setup.ts',
  setupFiles: 'packages/testkit/src/test-run/boxes-worker.ts',
  testTimeout: 120_000,
  retry,
  hookTimeout: 180_000,
};

/**
 * The test projects, run one after the other, `vm` beside `boxes`. `unit` needs no server. `integration` and `integration-verbs` share a
 * MariaDB and a NATS of their own. `boxes` and `boxes-alone` share a complete installation, started from the bundles in
 * dist/. Files of `boxes` wait more than they compute, so three of them run at a time (two of `boxes-alone`): those of the api take
 * turns, the others have boxes of their own. Files of `vm` share one virtual machine and take turns. All projects but `unit` need root.
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
          ...integration,
          name: 'integration',
          include: ['{apps,packages}/*/test/integration/**/*.test.ts'],
          exclude: [VERBS],
        },
      },
      {
        test: { ...integration, name: 'integration-verbs', include: [VERBS], isolate: false },
      },
      {
        test: {
          ...boxes,
          name: 'boxes',
          sequence: { groupOrder: 3 },
          include: ['apps/*/test/boxes/**/*.test.ts'],
          exclude: ALONE,
          maxWorkers: 3,
        },
      },
      {
        test: {
          ...boxes,
          name: 'vm',
          globalSetup: 'packages/testkit/src/test-run/vm-setup.ts',
          setupFiles: 'packages/testkit/src/test-run/vm-worker.ts',
          sequence: { groupOrder: 3 },
          include: ['apps/*/test/vm/**/*.test.ts'],
          maxWorkers: 3,
          testTimeout: 900_000,
          // A file waits in its hook until the files before it have had their turn.
          hookTimeout: 3_600_000,
        },
      },
      {
        test: {
          ...boxes,
          name: 'boxes-alone',
          sequence: { groupOrder: 4 },
          include: ALONE,
          maxWorkers: 2,
        },
      },
    ],
  },
});

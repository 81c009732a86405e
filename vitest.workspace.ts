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

/**
 * The files of three projects run side by side, in the order of scripts/longest-first.ts. Of the four files at a time,
 * one or two wait for the virtual machine, and those of boxes wait more than they compute.
 */
const beside = { sequence: { groupOrder: 2 }, maxWorkers: 4 };

const boxes = {
  globalSetup: 'packages/testkit/src/test-run/boxes-setup.ts',
  setupFiles: 'packages/testkit/src/test-run/boxes-worker.ts',
  testTimeout: 120_000,
  retry,
  hookTimeout: 180_000,
};

/**
 * The test projects: `unit`, then `integration`, `boxes` and `vm` side by side, then `boxes-alone`. `unit` needs no server.
 * Files of `integration` share a MariaDB. `boxes` and `boxes-alone` share a complete installation, started from the
 * bundles in dist/: files of the api take turns, the others have boxes of their own. Files of `vm` share two virtual
 * machines and take turns. All projects but `unit` need root.
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
          globalSetup: 'packages/testkit/src/test-run/integration-setup.ts',
          ...beside,
          include: ['{apps,packages}/*/test/integration/**/*.test.ts'],
          // A file leaves nothing in its process: its control plane, database and NATS end with it.
          isolate: false,
          testTimeout: 30_000,
          retry,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          ...boxes,
          name: 'boxes',
          ...beside,
          include: ['apps/*/test/boxes/**/*.test.ts'],
          exclude: ALONE,
        },
      },
      {
        test: {
          ...boxes,
          name: 'vm',
          globalSetup: 'packages/testkit/src/test-run/vm-setup.ts',
          setupFiles: 'packages/testkit/src/test-run/vm-worker.ts',
          ...beside,
          include: ['apps/*/test/vm/**/*.test.ts'],
          testTimeout: 900_000,
          // A file waits in its hook until the files before it have had their turn.
          hookTimeout: 3_600_000,
        },
      },
      {
        test: {
          ...boxes,
          name: 'boxes-alone',
          sequence: { groupOrder: 3 },
          include: ALONE,
          maxWorkers: 2,
        },
      },
    ],
  },
});

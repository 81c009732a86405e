import { defineConfig } from 'vitest/config';

/**
 * The three kinds of test. `unit` needs nothing; `integration` needs the MariaDB and NATS that
 * `scripts/test` starts; `boxes` needs the boxes it starts, and runs one file at a time because a
 * file measures its box's limits.
 */
export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'unit',
          include: ['{apps,packages}/*/src/**/*.test.ts', 'scripts/**/*.test.ts'],
        },
      },
      {
        test: {
          name: 'integration',
          include: ['{apps,packages}/*/test/integration/**/*.test.ts'],
          testTimeout: 30_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'boxes',
          include: ['apps/*/test/boxes/**/*.test.ts'],
          testTimeout: 120_000,
          hookTimeout: 180_000,
          fileParallelism: false,
        },
      },
    ],
  },
});

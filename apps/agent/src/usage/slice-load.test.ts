import { expect, test } from 'vitest';
import type { SliceUsage } from '../node/host.ts';
import { SliceLoad } from './slice-load.ts';

const MIB = 1_048_576;

/** Takes a sample every 15 s of a slice with these CPU seconds. Undefined: the slice does not exist. */
async function after(...cpuSeconds: (number | undefined)[]) {
  let usages = new Map<number, SliceUsage>();
  const load = new SliceLoad({ usages: async () => usages });
  for (const [at, seconds] of cpuSeconds.entries()) {
    usages = new Map(
      seconds === undefined ? [] : [[20_001, { cpuMicroseconds: seconds * 1e6, memoryBytes: 3 * MIB }]],
    );
    await load.sample(at * 15_000);
  }
  return load.of(20_001);
}

test.each([
  ['half a core', [0, 7.5, 15, 22.5, 30], 50],
  ['two cores', [100, 130, 160, 190, 220], 200],
  ['a minute, and nothing before it', [0, 900, 900, 900, 900, 900, 930], 50],
  ['a slice that came in between', [undefined, undefined, undefined, undefined, 6], 10],
  ['a slice that was made anew', [500, 500, 0, 3, 6], 10],
  ['nothing', [7, 7, 7, 7, 7], 0],
])('the load covers the last minute: %s', async (_, seconds, percent) => {
  expect(await after(...seconds)).toEqual({ cpuPercent: percent, memoryBytes: 3 * MIB });
});

test('an account without a slice, or before the second sample, has no load', async () => {
  expect(await after(5, undefined)).toEqual({ cpuPercent: 0, memoryBytes: 0 });
  expect(await after(5)).toEqual({ cpuPercent: 0, memoryBytes: 3 * MIB });
});

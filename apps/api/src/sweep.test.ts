import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { startSweeps } from './sweep.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});
const TEN_MINUTES = 600_000;

it('it removes in batches until nothing is left, every few minutes, until it is stopped', async () => {
  let rows = 2_500;
  const removed: number[] = [];
  const sweeps = startSweeps(
    {
      windows: async (limit) => {
        const count = Math.min(rows, limit);
        rows -= count;
        removed.push(count);
        return count;
      },
    },
    { warn: vi.fn() },
  );
  expect(removed).toEqual([]);
  await vi.advanceTimersByTimeAsync(TEN_MINUTES * 0.65);
  expect(removed).toEqual([1_000, 1_000, 500]);
  rows = 1;
  await vi.advanceTimersByTimeAsync(TEN_MINUTES);
  expect(rows).toBe(0);
  rows = 1;
  await sweeps.stop();
  await vi.advanceTimersByTimeAsync(TEN_MINUTES);
  expect(rows).toBe(1);
});

it('after a failure it continues with the next table and the next sweep', async () => {
  const broken = vi.fn().mockRejectedValue(new Error('gone'));
  const sound = vi.fn().mockResolvedValue(0);
  const warn = vi.fn();
  const sweeps = startSweeps({ broken, sound }, { warn });
  await vi.advanceTimersByTimeAsync(TEN_MINUTES * 2);
  await sweeps.stop();
  expect(broken.mock.calls.length).toBeGreaterThan(1);
  expect(sound).toHaveBeenCalledTimes(broken.mock.calls.length);
  expect(warn).toHaveBeenCalledWith(
    { err: expect.any(Error), table: 'broken' },
    'expired rows could not be deleted',
  );
});

import { expect, test } from 'vitest';
import { FakeClock } from '../node/fake-clock.ts';
import { ChangeSlots } from './change-slots.ts';

const never = new AbortController().signal;

/** Occupies slots with work that lasts until the test ends it. */
function slotsOf(count: number) {
  const clock = new FakeClock();
  const slots = new ChangeSlots(count, clock);
  const ends: (() => void)[] = [];
  const begin = () =>
    slots.hold('urgent', never, () => new Promise<void>((resolve) => void ends.push(resolve)));
  return { clock, slots, ends, begin };
}

test('slow changes release their slots, up to a limit', async () => {
  const { clock, ends, begin } = slotsOf(2);
  const all = Array.from({ length: 20 }, begin);
  for (const underWay of [2, 4, 6, 8, 10, 10, 10]) {
    await new Promise((resolve) => setImmediate(resolve));
    expect(ends).toHaveLength(underWay);
    clock.advance(2_000);
  }
  for (let at = 0; at < 20; at += 1) {
    await expect.poll(() => ends.length).toBeGreaterThan(at);
    ends[at]!();
  }
  await Promise.all(all);
  expect(clock.waits).toEqual([]);
});

test('an aborted step stops waiting for a slot, and takes none from others', async () => {
  const { slots, ends, begin } = slotsOf(1);
  const first = begin();
  const ending = new AbortController();
  const second = slots.hold('urgent', ending.signal, async () => 'begun');
  ending.abort();
  await expect(second).rejects.toThrow('aborted');
  const third = slots.hold('routine', never, async () => 'begun');
  ends[0]!();
  await first;
  expect(await third).toBe('begun');
});

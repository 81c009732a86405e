import { expect, test } from 'vitest';
import { IntervalClock } from './interval-clock.ts';

const NOON = Date.parse('2026-11-24T12:00:00Z');

/** Samples every 15 s. Returns the starts of the completed intervals, in minutes since noon. */
function run(changes: (at: number) => { jumpMs?: number; pauseMs?: number } = () => ({})) {
  const clock = new IntervalClock();
  const completed: number[] = [];
  let [unixMs, nowMs] = [NOON + 7_000, 0];
  for (let at = 0; at < 120; at += 1) {
    const { completed: start } = clock.tick({ unixMs, nowMs });
    if (start !== undefined) completed.push((start * 1_000 - NOON) / 60_000);
    const { jumpMs = 0, pauseMs = 15_000 } = changes(at);
    unixMs += pauseMs + jumpMs;
    nowMs += pauseMs;
  }
  return completed;
}

test('every interval is completed once, except the one in which the agent started', () => {
  expect(run()).toEqual([5, 10, 15, 20]);
});

test('the interval in which the time was set is left out, and so is the one it was set to', () => {
  const ahead = run((at) => (at === 50 ? { jumpMs: 3_600_000 } : {}));
  expect(ahead).toEqual([5, 75, 80]);
  const back = run((at) => (at === 50 ? { jumpMs: -3_600_000 } : {}));
  expect(back).toEqual([5, -45, -40]);
});

test('a small correction of the time changes nothing', () => {
  expect(run((at) => (at % 10 === 0 ? { jumpMs: 500 } : {}))).toEqual([5, 10, 15, 20]);
});

test('an interval without samples for long is left out, and so is the one in which they begin again', () => {
  expect(run((at) => (at === 50 ? { pauseMs: 400_000 } : {}))).toEqual([5, 20, 25, 30]);
});

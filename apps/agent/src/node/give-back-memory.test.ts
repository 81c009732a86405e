import { expect, test } from 'vitest';
import { FakeClock } from './fake-clock.ts';
import { giveBackMemory } from './give-back-memory.ts';

const MIB = 1_048_576;

function rig() {
  const clock = new FakeClock();
  const now = { residentBytes: 150 * MIB, cpuMs: 0 };
  let collections = 0;
  const collect = () => {
    collections += 1;
    now.residentBytes = 110 * MIB;
    now.cpuMs += 100;
  };
  const end = giveBackMemory({ collect, measure: () => ({ ...now }), clock });
  const pass = (cpuMs: number) => {
    now.cpuMs += cpuMs;
    clock.advance(30_000);
    return collections;
  };
  return { clock, now, pass, end };
}

test('returns memory when idle, and again when enough has accumulated', () => {
  const { now, pass } = rig();
  expect(pass(29_000)).toBe(0);
  expect(pass(3_000)).toBe(1);
  now.residentBytes = 120 * MIB;
  expect(pass(0)).toBe(1);
  now.residentBytes = 127 * MIB;
  expect(pass(7_000)).toBe(1);
  expect(pass(5_900)).toBe(2);
  expect(pass(0)).toBe(2);
});

test('does not retry memory that could not be returned', () => {
  const { now, pass } = rig();
  expect(pass(0)).toBe(1);
  now.residentBytes = 125 * MIB;
  expect([pass(0), pass(0)]).toEqual([1, 1]);
});

test('does nothing after a stop, or without access to the garbage collector', () => {
  const { clock, pass, end } = rig();
  end();
  expect(pass(0)).toBe(0);
  expect(clock.waits).toEqual([]);
  giveBackMemory({ collect: undefined, measure: () => ({ residentBytes: 0, cpuMs: 0 }), clock })();
  expect(clock.waits).toEqual([]);
});

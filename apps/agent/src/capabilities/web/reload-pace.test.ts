import { expect, test } from 'vitest';
import type { Site } from './host.ts';
import { ReloadPace } from './reload-pace.ts';

const site = (kind: Site['kind']): Site => ({
  name: 'a.com',
  kind,
  root: '/home/a',
  socket: null,
  certificate: null,
  aliasCertificate: null,
});

function paceAt(start: number) {
  let now = start;
  const waits: number[] = [];
  const pace = new ReloadPace(
    () => now,
    async (ms) => {
      waits.push(ms);
      now += ms;
    },
  );
  return { pace, waits, pass: (ms: number) => (now += ms) };
}

test('publishes an account’s first changes at once, and delays very many by two seconds each', async () => {
  const { pace, waits, pass } = paceAt(1_000);
  for (let time = 0; time < 60; time += 1) await pace.turn(20_000, [site('php')]);
  expect(waits).toEqual([]);
  await pace.turn(20_000, [site('php')]);
  await pace.turn(20_000, [site('stopped')]);
  expect(waits).toEqual([2_000, 2_000]);
  await pace.turn(20_001, [site('php')]);
  pass(120_000);
  for (let time = 0; time < 59; time += 1) await pace.turn(20_000, [site('php')]);
  expect(waits).toHaveLength(2);
});

test('removing sites never waits', async () => {
  const { pace, waits } = paceAt(0);
  for (let time = 0; time < 60; time += 1) await pace.turn(20_000, [site('php')]);
  await pace.turn(20_000, [site('suspended'), site('suspended')]);
  await pace.turn(20_000, []);
  expect(waits).toEqual([]);
});

import { expect, test } from 'vitest';
import { FakeClock } from '../../node/fake-clock.ts';
import { keepFirewall } from './keep-firewall.ts';

test('logs an error for a missing or changed table, and checks again', async () => {
  const answers: (boolean | Error)[] = [new Error('no nf_tables'), true, false, true];
  const said: string[] = [];
  const gauges: number[] = [];
  const clock = new FakeClock();
  const stop = keepFirewall({
    ensure: async () => {
      const answer = answers.shift();
      if (answer instanceof Error) throw answer;
      return answer ?? false;
    },
    gauge: { set: (value) => gauges.push(value) },
    everyMs: 1_000,
    clock,
    log: {
      warn: () => void said.push('warn'),
      error: () => void said.push('error'),
      info: () => void said.push('info'),
    } as never,
  });
  for (let look = 0; look < 3; look += 1) {
    await new Promise(setImmediate);
    await clock.advance(1_000);
  }
  await new Promise(setImmediate);
  expect(gauges).toEqual([0, 1, 1, 1]);
  expect(said).toEqual(['error', 'warn']);
  stop();
});

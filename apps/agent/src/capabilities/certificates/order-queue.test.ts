import { expect, test } from 'vitest';
import { OrderQueue } from './order-queue.ts';

/** Work that ends when the test ends it, or when it is aborted. */
function works() {
  const running: string[] = [];
  const ends = new Map<string, () => void>();
  const work = (name: string) => (signal: AbortSignal) =>
    new Promise<void>((resolve) => {
      running.push(name);
      const end = () => {
        running.splice(running.indexOf(name), 1);
        resolve();
      };
      ends.set(name, end);
      signal.addEventListener('abort', end);
    });
  return { running, work, end: (name: string) => ends.get(name)!() };
}

test('runs a few orders at a time, the others in turn, and none twice', async () => {
  const queue = new OrderQueue(2);
  const { running, work, end } = works();
  for (const name of ['a', 'b', 'b', 'c', 'd']) queue.start(name, work(name));
  expect(running).toEqual(['a', 'b']);
  expect(queue.has('d')).toBe(true);
  end('a');
  await Promise.resolve();
  await new Promise(setImmediate);
  expect(running).toEqual(['b', 'c']);
  expect(queue.has('a')).toBe(false);
});

test('a stopped order has ended or never starts', async () => {
  const queue = new OrderQueue(1);
  const { running, work } = works();
  queue.start('a', work('a'));
  queue.start('b', work('b'));
  await queue.stop('b');
  await queue.stop('a');
  await queue.idle();
  expect(running).toEqual([]);
  expect(queue.has('b')).toBe(false);
});

test('starts nothing after a stop of all', async () => {
  const queue = new OrderQueue(1);
  const { running, work } = works();
  for (const name of ['a', 'b', 'c']) queue.start(name, work(name));
  await queue.stopAll();
  queue.start('d', work('d'));
  expect(running).toEqual([]);
  expect(queue.has('d')).toBe(false);
});

test('renewals start before waiting first orders', async () => {
  const queue = new OrderQueue(1);
  const { running, work, end } = works();
  queue.start('a', work('a'));
  queue.start('b', work('b'));
  queue.start('renewal', work('renewal'), { isFirst: true });
  end('a');
  await new Promise(setImmediate);
  expect(running).toEqual(['renewal']);
  await queue.stopAll();
  expect(queue.has('b')).toBe(false);
});

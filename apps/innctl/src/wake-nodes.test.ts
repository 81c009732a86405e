import { expect, test } from 'vitest';
import { createWakes } from './wake-nodes.ts';

test('wakes share a connection attempt, and a later wake opens another', async () => {
  const connections: string[][] = [];
  const wakes = createWakes(async (work) => {
    const published: string[] = [];
    connections.push(published);
    await Promise.resolve();
    await work({
      publish: (subject, message) => void published.push(`${subject} ${JSON.stringify(message)}`),
    });
  });
  wakes.wakeNode(3, 7, 2);
  wakes.wakeNode(4, 8, 1);
  await wakes.sent();
  wakes.wakeNode(3, 7, 3);
  await wakes.sent();
  expect(connections.map((published) => published.length)).toEqual([2, 1]);
  expect(connections[0]![0]).toMatch(/3.*\{"account_id":7,"generation":2\}$/);
});

test('does not fail without NATS', async () => {
  const wakes = createWakes(async () => {
    throw new Error('INNKEEPER_NATS_URL is not set.');
  });
  wakes.wakeNode(3, 7, 2);
  await wakes.sent();
  await wakes.sent();
});

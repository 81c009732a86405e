import { expect, test } from 'vitest';
import { chooseNode, countedBytes, hasJumped } from './placement.ts';

const GiB = 2 ** 30;
const node = (id: number, allocated_disk_mb: number, allocated_ram_mb: number, memory_bytes = 4 * GiB) => ({
  id,
  disk_bytes: 100 * GiB,
  memory_bytes,
  allocated_disk_mb,
  allocated_ram_mb,
});

test('the scarcer resource decides', () => {
  expect(chooseNode([node(1, 1024, 3072), node(2, 51_200, 1024)])?.id).toBe(2);
});

test('a node with more memory has more room at the same allocation', () => {
  expect(chooseNode([node(1, 0, 1024), node(2, 0, 1024, 8 * GiB)])?.id).toBe(2);
});

test('of equal nodes the lowest id is chosen, in any order', () => {
  expect(chooseNode([node(9, 10, 10), node(3, 10, 10), node(5, 10, 10)])?.id).toBe(3);
});

test('of overcommitted nodes the least overcommitted is chosen, and one without capacity last', () => {
  expect(chooseNode([node(1, 0, 0, 0), node(2, 0, 9000), node(3, 0, 8000)])?.id).toBe(1);
  expect(chooseNode([node(1, 0, 10, 0), node(2, 0, 9000), node(3, 0, 8000)])?.id).toBe(3);
});

test.each([
  [{ reported_bytes: null, known_bytes: null, allocatable_mb: 5 }, null, false],
  [{ reported_bytes: 8 * GiB, known_bytes: null, allocatable_mb: null }, 8 * GiB, false],
  [{ reported_bytes: 8 * GiB, known_bytes: 0, allocatable_mb: null }, 8 * GiB, false],
  [{ reported_bytes: 8 * GiB, known_bytes: 2 * GiB, allocatable_mb: null }, 8 * GiB, false],
  [{ reported_bytes: 9 * GiB, known_bytes: 2 * GiB, allocatable_mb: null }, 8 * GiB, true],
  [{ reported_bytes: GiB, known_bytes: 2 * GiB, allocatable_mb: null }, GiB, false],
  [{ reported_bytes: 99 * GiB, known_bytes: 2 * GiB, allocatable_mb: 3 * 1024 }, 3 * GiB, false],
  [{ reported_bytes: 2 * GiB, known_bytes: 2 * GiB, allocatable_mb: 9 * 1024 }, 2 * GiB, false],
  [{ reported_bytes: 99 * GiB, known_bytes: 2 * GiB, allocatable_mb: 64 * 1024 }, 64 * GiB, false],
])('of %j placement counts %s bytes, and it has jumped: %s', (resource, counted, jumped) => {
  expect([countedBytes(resource), hasJumped(resource)]).toEqual([counted, jumped]);
});

test('without nodes, none is chosen', () => {
  expect(chooseNode([])).toBeUndefined();
});

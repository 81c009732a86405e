import { expect, test } from 'vitest';
import { chooseNode } from './placement.ts';

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

test('of equals the lowest id is taken, in whatever order they come', () => {
  expect(chooseNode([node(9, 10, 10), node(3, 10, 10), node(5, 10, 10)])?.id).toBe(3);
});

test('the least overcommitted of overcommitted nodes is taken, one without capacity last', () => {
  expect(chooseNode([node(1, 0, 0, 0), node(2, 0, 9000), node(3, 0, 8000)])?.id).toBe(1);
  expect(chooseNode([node(1, 0, 10, 0), node(2, 0, 9000), node(3, 0, 8000)])?.id).toBe(3);
});

test('of no nodes none is taken', () => {
  expect(chooseNode([])).toBeUndefined();
});

import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { hasIoController } from './cgroups.ts';

const cgroupRoot = async () => {
  const root = await mkdtemp(path.join(tmpdir(), 'cgroup-'));
  onTestFinished(() => rm(root, { recursive: true }));
  return root;
};

test('cgroup v2 can limit IO before any unit has an IO limit', async () => {
  const root = await cgroupRoot();
  await mkdir(path.join(root, 'system.slice'));
  await writeFile(path.join(root, 'cgroup.controllers'), 'cpuset cpu io memory hugetlb pids rdma misc\n');
  expect(hasIoController(root)).toBe(true);
});

test('cgroup v2 without the io controller cannot limit IO', async () => {
  const root = await cgroupRoot();
  await writeFile(path.join(root, 'cgroup.controllers'), 'cpu memory pids\n');
  expect(hasIoController(root)).toBe(false);
});

test('cgroup v1 can limit IO with the blkio controller', async () => {
  const root = await cgroupRoot();
  expect(hasIoController(root)).toBe(false);
  await mkdir(path.join(root, 'blkio'));
  expect(hasIoController(root)).toBe(true);
});

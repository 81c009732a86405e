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

test('on cgroup v2 IO can be limited although no unit has asked for a limit of IO yet', async () => {
  const root = await cgroupRoot();
  await mkdir(path.join(root, 'system.slice'));
  await writeFile(path.join(root, 'cgroup.controllers'), 'cpuset cpu io memory hugetlb pids rdma misc\n');
  expect(hasIoController(root)).toBe(true);
});

test('on cgroup v2 without the io controller IO cannot be limited', async () => {
  const root = await cgroupRoot();
  await writeFile(path.join(root, 'cgroup.controllers'), 'cpu memory pids\n');
  expect(hasIoController(root)).toBe(false);
});

test('on cgroup v1 the controller of block devices is what counts', async () => {
  const root = await cgroupRoot();
  expect(hasIoController(root)).toBe(false);
  await mkdir(path.join(root, 'blkio'));
  expect(hasIoController(root)).toBe(true);
});

import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { findWeakProtections } from './kernel-protections.ts';

test('names a protection that is off, too weak or missing', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'sysctl-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  await mkdir(path.join(folder, 'fs'));
  const set = (name: string, value: string) => writeFile(path.join(folder, 'fs', name), `${value}\n`);
  await Promise.all([
    set('protected_symlinks', '0'),
    set('protected_fifos', '1'),
    set('protected_regular', '2'),
  ]);
  expect(await findWeakProtections(folder)).toEqual([
    { code: 'LINKS_UNPROTECTED', sentence: 'fs.protected_symlinks is 0 and should be 1.' },
    {
      code: 'LINKS_UNPROTECTED',
      sentence: 'This kernel has no fs.protected_hardlinks. It should be 1.',
    },
    { code: 'LINKS_UNPROTECTED', sentence: 'fs.protected_fifos is 1 and should be 2.' },
    {
      code: 'PTRACE_UNRESTRICTED',
      sentence: 'This kernel has no kernel.yama.ptrace_scope. It should be 1.',
    },
  ]);
});

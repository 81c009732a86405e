import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { zipOf } from './zip.ts';

test('Python reads every file of an archive, its check sums included', () => {
  const folder = mkdtempSync(join(tmpdir(), 'conformance-zip-'));
  try {
    const file = join(folder, 'a.zip');
    writeFileSync(file, zipOf({ 'index.html': '<p>ü</p>', 'sub/empty.txt': '' }));
    const program =
      'import sys, zipfile; z = zipfile.ZipFile(sys.argv[1]); print(z.testzip(), z.namelist(), z.read("index.html").decode())';
    const { stdout, stderr } = spawnSync('python3', ['-c', program, file], { encoding: 'utf8' });
    expect(stderr).toBe('');
    expect(stdout.trim()).toBe("None ['index.html', 'sub/empty.txt'] <p>ü</p>");
  } finally {
    rmSync(folder, { recursive: true });
  }
});

import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findOpenFolders } from './open-folders.ts';
import { RootFolder } from './root-folder.ts';

let shared: string;

beforeAll(() => {
  shared = mkdtempSync(join(tmpdir(), 'innkeeper-open-'));
  mkdirSync(join(shared, 'closed'), { mode: 0o700 });
  symlinkSync('/etc', join(shared, 'link'));
  writeFileSync(join(shared, 'file'), '');
  chmodSync(shared, 0o777);
});

afterAll(() => rmSync(shared, { recursive: true }));

test('ignores folders that only root can write to, and missing ones', async () => {
  expect(await findOpenFolders('/etc', ['/usr/bin', '/etc/none-of-this-name'])).toEqual([]);
});

test('reports a folder below one that others can write to, with the open one', async () => {
  const said = await findOpenFolders('/etc', [join(shared, 'closed')]);
  expect(said).toEqual([expect.stringContaining('must be root')]);
});

test.each(['closed', 'link', 'link/ssl', 'file'])(
  'root changes nothing below %s of an open folder',
  async (path) => {
    let wasThere = false;
    const work = async () => {
      wasThere = true;
    };
    for (const kind of ['root', 'spool'] as const)
      await expect(RootFolder.within(join(shared, path), work, kind)).rejects.toMatchObject({
        reason: 'Conflict',
      });
    expect(wasThere).toBe(false);
  },
);

test.each(['', '.', '..', 'a/b', '../passwd', 'a\0b'])(
  '%j is not a valid name of a folder’s entry',
  async (name) => {
    const act = RootFolder.within('/etc', (folder) => folder.unlink(name));
    await expect(act).rejects.toMatchObject({ reason: 'Refused' });
  },
);

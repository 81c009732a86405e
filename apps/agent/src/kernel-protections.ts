import { readFile } from 'node:fs/promises';
import path from 'node:path';

/** What the installer sets, so that links and pipes in shared folders cannot be used against others. */
const LEAST: Readonly<Record<string, number>> = {
  protected_symlinks: 1,
  protected_hardlinks: 1,
  protected_fifos: 2,
  protected_regular: 2,
};

/** The protections of the kernel that are weaker here than they should be, one sentence each. */
export async function findWeakProtections(folder = '/proc/sys/fs'): Promise<string[]> {
  const found = await Promise.all(
    Object.entries(LEAST).map(async ([name, least]) => {
      const text = await readFile(path.join(folder, name), 'utf8').catch(() => 'unknown');
      return Number(text) >= least ? [] : [`fs.${name} is ${text.trim()} and should be ${least}.`];
    }),
  );
  return found.flat();
}

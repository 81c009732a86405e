import { readFile } from 'node:fs/promises';
import path from 'node:path';

/** What the installer sets. */
const LEAST: Readonly<Record<string, number>> = {
  // Links and pipes in shared folders cannot be used against others.
  'fs.protected_symlinks': 1,
  'fs.protected_hardlinks': 1,
  'fs.protected_fifos': 2,
  'fs.protected_regular': 2,
  // A process traces its own children only, so a hijacked one does not take over the others of its account.
  'kernel.yama.ptrace_scope': 1,
};

/** The protections of the kernel that are weaker here than they should be, one sentence each. */
export async function findWeakProtections(folder = '/proc/sys'): Promise<string[]> {
  const found = await Promise.all(
    Object.entries(LEAST).map(async ([key, least]) => {
      const text = await readFile(path.join(folder, ...key.split('.')), 'utf8').catch(() => undefined);
      if (text === undefined) return [`This kernel does not have ${key}, which should be ${least}.`];
      return Number(text) >= least ? [] : [`${key} is ${text.trim()} and should be ${least}.`];
    }),
  );
  return found.flat();
}

import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Weakness } from './server-warnings.ts';

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

/** The protections of the kernel that are weaker here than they should be. */
export async function findWeakProtections(folder = '/proc/sys'): Promise<Weakness[]> {
  const found = await Promise.all(
    Object.entries(LEAST).map(async ([key, least]): Promise<Weakness[]> => {
      const code = key.startsWith('kernel.yama.') ? 'PTRACE_UNRESTRICTED' : 'LINKS_UNPROTECTED';
      const text = await readFile(path.join(folder, ...key.split('.')), 'utf8').catch(() => undefined);
      if (text === undefined)
        return [{ code, sentence: `This kernel has no ${key}. It should be ${least}.` }];
      if (Number(text) >= least) return [];
      return [{ code, sentence: `${key} is ${text.trim()} and should be ${least}.` }];
    }),
  );
  return found.flat();
}

import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Weakness } from './server-warnings.ts';

/** The minimum values, as the installer sets them. */
const LEAST: Readonly<Record<string, number>> = {
  // Prevents attacks on other users with links and pipes in shared folders.
  'fs.protected_symlinks': 1,
  'fs.protected_hardlinks': 1,
  'fs.protected_fifos': 2,
  'fs.protected_regular': 2,
  // A process can trace only its own children, so a hijacked process cannot take over the account's other processes.
  'kernel.yama.ptrace_scope': 1,
};

/** Returns the kernel protections that are weaker on this server than they should be. */
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

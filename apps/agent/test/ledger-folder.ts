import { readdir } from 'node:fs/promises';

/** The files of a ledger folder that contain accounts. */
export async function entriesIn(folder: string): Promise<string[]> {
  return (await readdir(folder)).filter((name) => name.endsWith('.json'));
}

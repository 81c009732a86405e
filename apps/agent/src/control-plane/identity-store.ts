import { mkdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type NodeIdentity, nodeIdentitySchema } from '@innkeeper/protocol/client';
import { storeDurably } from '../node/store-durably.ts';

/** Where an agent keeps its identity below its state folder: one file, so that key and certificate fit. */
export function identityFile(stateDir: string): string {
  return join(stateDir, 'identity', 'node.json');
}

/** Replaces the identity; once this resolves it survives a power failure. Readable by root alone. */
export async function storeIdentity(stateDir: string, identity: NodeIdentity): Promise<void> {
  const file = identityFile(stateDir);
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  await storeDurably(file, `${JSON.stringify(identity, null, 2)}\n`);
}

/** The identity of this node; undefined before it is enrolled. Throws for a file that is damaged. */
export async function findIdentity(stateDir: string): Promise<NodeIdentity | undefined> {
  const file = identityFile(stateDir);
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
  try {
    return nodeIdentitySchema.parse(JSON.parse(text));
  } catch {
    // The parser's own words could repeat a key.
    throw new Error(`${file} is damaged. Remove it and enrol this node again with a new join token.`);
  }
}

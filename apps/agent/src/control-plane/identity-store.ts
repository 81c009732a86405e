import { mkdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type NodeIdentity, nodeIdentitySchema } from '@innkeeper/protocol/client';
import { storeDurably } from '../node/durable-files.ts';

/**
 * Returns the path of the identity below the state folder. Key and certificate share one file, so that they always
 * match.
 */
export function identityFile(stateDir: string): string {
  return join(stateDir, 'identity', 'node.json');
}

/** Replaces the identity. Once this resolves, the identity survives a power failure. Readable by root only. */
export async function storeIdentity(stateDir: string, identity: NodeIdentity): Promise<void> {
  const file = identityFile(stateDir);
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  await storeDurably(file, `${JSON.stringify(identity, null, 2)}\n`);
}

/** Returns the identity of this node. Undefined before enrolment. Throws if the file is damaged. */
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
    // The parser's message is left out: it could contain a key.
    throw new Error(`${file} is damaged. Remove it and enrol this node again with a new join token.`);
  }
}

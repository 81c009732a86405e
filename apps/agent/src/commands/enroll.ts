import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { enrollAgent } from '../control-plane/enroll.ts';

export interface EnrollOptions {
  /** A file, or `-` for standard input. A token is never in a command line, which other users can read. */
  tokenFile: string;
  /** `host:port`. Undefined: the address in the token. */
  control: string | undefined;
  stateDir: string;
  write: (text: string) => void;
}

const LONGEST_TOKEN = 4_096;

/** Enrols this server as a node of a control plane. Rejects when the token is not accepted. */
export async function enroll(options: EnrollOptions): Promise<number> {
  const { tokenFile, control, stateDir, write } = options;
  const joinToken = await readJoinToken(tokenFile);
  const { node_id, node_name } = await enrollAgent({ joinToken, control, stateDir });
  write(`enrolled as ${node_name} (node ${node_id})\n`);
  return 0;
}

/** Returns the join token in a file; `-` is standard input. */
export async function readJoinToken(tokenFile: string): Promise<string> {
  const read = tokenFile === '-' ? await text(process.stdin) : await readFile(tokenFile, 'utf8');
  const joinToken = read.trim();
  if (joinToken === '' || joinToken.length > LONGEST_TOKEN)
    throw new Error(`${tokenFile === '-' ? 'Standard input' : tokenFile} does not contain a join token.`);
  return joinToken;
}

import { readdirSync, unlinkSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import type { Changes } from '../../node/changes.ts';
import { writeSynced } from '../../node/durable-files.ts';
import { HostError } from '../../node/host-error.ts';

/** A file name below a name's /.well-known/acme-challenge/. */
const TOKEN = /^[A-Za-z0-9_-]{1,128}$/;

/**
 * Files that authorities request for a challenge, in a folder that nginx serves under every name. The folder belongs to
 * the agent. Files that a killed agent left are removed at the start.
 */
export class ChallengeFiles {
  readonly #folder: string;
  readonly #changes: Changes;

  constructor(folder: string, changes: Changes) {
    this.#folder = folder;
    this.#changes = changes;
    for (const entry of readdirSync(folder, { withFileTypes: true }))
      if (!entry.isDirectory()) unlinkSync(path.join(folder, entry.name));
  }

  /** Throws HostError for a token that is not a file name. */
  async write(token: string, text: string): Promise<void> {
    await writeSynced(this.#path(token), text, { mode: 0o644, gid: 0 });
    this.#changes.record();
  }

  async remove(token: string): Promise<void> {
    await rm(this.#path(token), { force: true });
    this.#changes.record();
  }

  #path(token: string): string {
    if (!TOKEN.test(token))
      throw new HostError('Failed', 'The certificate authority sent an invalid challenge token.');
    return path.join(this.#folder, token);
  }
}

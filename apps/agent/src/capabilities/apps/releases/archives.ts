import { createHash } from 'node:crypto';
import { rmSync } from 'node:fs';
import { mkdir, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type ControlPlane, ControlPlaneError } from '../../../control-plane/control-plane.ts';
import type { Changes } from '../../../node/changes.ts';
import type { Owner } from '../../../node/owner.ts';
import type { ArchiveState, Archives, WantedArchive } from './host.ts';

interface Fetch {
  readonly releaseId: number;
  readonly abort: AbortController;
  readonly ended: Promise<void>;
  state: ArchiveState;
}

export type FetchArchive = ControlPlane['fetchArchive'];

/** Maximum number of archives at once; more wait. This limits the disk space that archives use. */
const AT_ONCE = 4;

/**
 * Archives in files that only root can read. An archive may be at most as large as the spec says, and is accepted only
 * if its SHA-256 matches the spec. Unused files are removed when the agent starts.
 */
export class ArchiveFiles implements Archives {
  readonly #changes: Changes;
  readonly #fetchArchive: FetchArchive;
  readonly #folder: string;
  readonly #fetches = new Map<string, Fetch>();
  readonly #waiting: (() => void)[] = [];
  #running = 0;

  constructor(changes: Changes, fetchArchive: FetchArchive, stateDir: string) {
    this.#changes = changes;
    this.#fetchArchive = fetchArchive;
    this.#folder = join(stateDir, 'archives');
  }

  state(owner: Owner, appId: number, releaseId: number): ArchiveState | undefined {
    const fetch = this.#fetches.get(keyOf(owner, appId));
    return fetch?.releaseId === releaseId ? fetch.state : undefined;
  }

  fetch(owner: Owner, wanted: WantedArchive): void {
    const key = keyOf(owner, wanted.appId);
    const before = this.#fetches.get(key);
    before?.abort.abort();
    const abort = new AbortController();
    const path = join(this.#folder, key);
    const ended = Promise.resolve(before?.ended)
      .then(() => this.#inTurn(() => this.#store(path, wanted, abort.signal)))
      .then((state) => {
        fetch.state = state;
      });
    const fetch: Fetch = { releaseId: wanted.releaseId, abort, ended, state: { kind: 'fetching' } };
    this.#fetches.set(key, fetch);
    this.#changes.record();
  }

  async discard(owner: Owner, appId: number): Promise<void> {
    const key = keyOf(owner, appId);
    const fetch = this.#fetches.get(key);
    if (fetch === undefined) return;
    this.#fetches.delete(key);
    fetch.abort.abort();
    await fetch.ended;
    await rm(join(this.#folder, key), { force: true });
    this.#changes.record();
  }

  /** Called at the start of the agent. */
  sweep(): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }

  async #inTurn<T>(work: () => Promise<T>): Promise<T> {
    if (this.#running >= AT_ONCE) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    else this.#running += 1;
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#running -= 1;
      else next();
    }
  }

  async #store(path: string, wanted: WantedArchive, signal: AbortSignal): Promise<ArchiveState> {
    try {
      signal.throwIfAborted();
      await mkdir(this.#folder, { recursive: true, mode: 0o700 });
      await rm(path, { force: true });
      const sentence = await this.#write(path, wanted, signal);
      if (sentence === undefined) return { kind: 'ready', file: { path, bytes: wanted.bytes } };
      await rm(path, { force: true });
      return { kind: 'failed', sentence, retry: false };
    } catch (error) {
      await rm(path, { force: true }).catch(() => {});
      return failed(error);
    }
  }

  /** Returns why the received archive is invalid; undefined if it is valid. */
  async #write(path: string, wanted: WantedArchive, signal: AbortSignal): Promise<string | undefined> {
    const file = await open(path, 'wx', 0o600);
    try {
      const hash = createHash('sha256');
      let bytes = 0;
      const { accountId, releaseId } = wanted;
      for await (const piece of this.#fetchArchive(accountId, releaseId, signal)) {
        bytes += piece.length;
        if (bytes > wanted.bytes) break;
        hash.update(piece);
        await file.writeFile(piece);
      }
      if (bytes !== wanted.bytes || hash.digest('hex') !== wanted.sha256)
        return 'The downloaded archive is not the one that was uploaded.';
      return undefined;
    } finally {
      await file.close();
    }
  }
}

function failed(error: unknown): ArchiveState {
  if (error instanceof ControlPlaneError && error.code === 'not_found')
    return {
      kind: 'failed',
      sentence: 'The archive of this release is no longer stored. Deploy it again.',
      retry: false,
    };
  const sentence =
    error instanceof ControlPlaneError
      ? 'The archive could not be downloaded: the control plane does not provide it.'
      : `The archive could not be stored: ${(error as Error).message}`;
  return { kind: 'failed', sentence, retry: true };
}

function keyOf(owner: Owner, appId: number): string {
  return `${owner.uid}-${appId}`;
}

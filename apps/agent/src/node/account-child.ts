import { WELCOME_FILE } from './app-paths.ts';
import type { Exec, RunOptions, RunResult } from './exec.ts';
import { assertAccountUid } from './owner.ts';
import perl from './perl.embed.ts';

/**
 * Runs work below a home or in a shared folder with the rights of an account, in a child process that the account can
 * neither signal nor trace (docs/design/host-security.md).
 *
 * Only the effective uid and gid are the account's. Real and saved uid stay root's, and the kernel checks those when a
 * process sends a signal or attaches. An executed program would lose that protection: exec sets the saved uid to the
 * effective uid. So the child runs only this code, and no tenant code.
 *
 * `kill` signals every process that its real or effective uid may signal, so its real uid is a uid that no user has.
 * Where a container has no such uid, the real uid is the account's.
 */

const REMOVAL_TIMEOUT_MS = 600_000;
const PATHS_AT_ONCE = 400;

/** Paths are absolute and built by the agent. The account may have put links in the folders on the way to them. */
export class AccountChild {
  readonly #exec: Exec;

  constructor(exec: Exec) {
    this.#exec = exec;
  }

  /** Sends SIGKILL to every process of the uid. */
  async kill(uid: number): Promise<void> {
    await this.#change(uid, ['kill'], { timeoutMs: 2_000 });
  }

  /** Creates folders. Each parent of a path must come before the path. An existing folder keeps its mode. */
  async createFolders(uid: number, paths: readonly string[], mode: '0700' | '0755'): Promise<void> {
    for (let from = 0; from < paths.length; from += PATHS_AT_ONCE)
      await this.#change(uid, ['folders', mode, ...paths.slice(from, from + PATHS_AT_ONCE)]);
  }

  /**
   * Creates a folder with one page in it, and its parents. The complete folder is moved to its place. An existing entry
   * is left alone.
   */
  async createPage(uid: number, path: string, source: string, parents: readonly string[]): Promise<void> {
    await this.#change(uid, ['page', path, WELCOME_FILE, source, ...parents]);
  }

  /** Returns the last bytes of each path that is a file, concatenated. */
  async readEnds(
    uid: number,
    paths: readonly string[],
    bytes: number,
    options: Pick<RunOptions, 'timeoutMs'> = {},
  ): Promise<string> {
    return (await this.#run(uid, ['end', `${bytes}`, ...paths], options)).stdout;
  }

  /** Removes everything below a home that the account may remove. Remaining entries are not an error. */
  async empty(uid: number, home: string): Promise<void> {
    await this.#change(uid, ['empty', home], { timeoutMs: REMOVAL_TIMEOUT_MS });
  }

  /** Like `empty`, for a folder that only root can reach. */
  async emptyWithin(uid: number, folder: string): Promise<void> {
    await this.#change(uid, ['empty', '.'], { cwd: folder, timeoutMs: REMOVAL_TIMEOUT_MS });
  }

  /** Removes the paths with everything below them. Remaining entries are not an error. */
  async remove(uid: number, paths: readonly string[]): Promise<void> {
    await this.#change(uid, ['remove', ...paths], { timeoutMs: REMOVAL_TIMEOUT_MS });
  }

  /** Removes the path and what is below it, as far as the account owns it. Remaining entries are not an error. */
  async removeOwn(uid: number, path: string): Promise<void> {
    await this.#change(uid, ['remove-own', path], { timeoutMs: REMOVAL_TIMEOUT_MS });
  }

  /** Removes a System V IPC object. A missing object is not an error. */
  async removeIpc(uid: number, kind: 'shm' | 'sem' | 'msg', id: string): Promise<void> {
    await this.#change(uid, ['ipc', kind, id]);
  }

  async #run(uid: number, words: readonly string[], options: RunOptions = {}): Promise<RunResult> {
    assertAccountUid(uid);
    return await this.#exec.run('/usr/bin/perl', ['-e', perl.accountChild, `${uid}`, ...words], options);
  }

  async #change(uid: number, words: readonly string[], options: RunOptions = {}): Promise<void> {
    assertAccountUid(uid);
    await this.#exec.change('/usr/bin/perl', ['-e', perl.accountChild, `${uid}`, ...words], options);
  }
}

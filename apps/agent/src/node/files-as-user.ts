import { join } from 'node:path';
import type { AccountChild } from './account-child.ts';
import { assertRelative, type ObserveAsUsers } from './observe-as-users.ts';

/**
 * All file operations below a home, done by child processes with the account's rights. Whatever links the user creates,
 * such a child reaches only what the user can reach. Paths are relative to the home, built by the agent, and never
 * start with a dash.
 */

export class FilesAsUser {
  readonly #child: AccountChild;
  readonly #observeAsUser: ObserveAsUsers;
  readonly #welcomePage: string;

  constructor(child: AccountChild, observe: ObserveAsUsers, welcomePage: string) {
    this.#child = child;
    this.#observeAsUser = observe;
    this.#welcomePage = welcomePage;
  }

  /** Returns the paths at which nothing exists, not even a broken link. */
  async missing(uid: number, home: string, paths: readonly string[]): Promise<string[]> {
    const seen = await this.#observeAsUser({ uid, home, paths });
    return paths.filter((path) => !seen.has(path));
  }

  async createFolders(
    uid: number,
    home: string,
    paths: readonly string[],
    mode: '0700' | '0755',
  ): Promise<void> {
    assertRelative(paths);
    const wanted = paths.flatMap(withParents).map((path) => join(home, path));
    await this.#child.createFolders(uid, wanted, mode);
  }

  /** Created beside its place and then moved there complete, so that a document root never appears without its page. */
  async createDocumentRoot(uid: number, home: string, path: string): Promise<void> {
    assertRelative([path]);
    const parents = withParents(path).slice(0, -1);
    const folders = parents.map((parent) => join(home, parent));
    await this.#child.createPage(uid, join(home, path), this.#welcomePage, folders);
  }

  /**
   * Removes what the user can remove, including folders that the user had closed. Remaining entries are not an error.
   */
  async empty(uid: number, home: string): Promise<void> {
    await this.#child.empty(uid, home);
  }
}

/** Returns the path with its parents. Every created folder gets the mode, including the parents. */
function withParents(path: string): string[] {
  const parts = path.split('/');
  return parts.map((_, at) => parts.slice(0, at + 1).join('/'));
}

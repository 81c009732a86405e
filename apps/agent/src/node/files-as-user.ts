import { join } from 'node:path';
import type { AccountChild } from './account-child.ts';
import { assertRelative, type LookAsUsers } from './look-as-users.ts';

/**
 * Everything below a home, by children with the account's rights: whatever links the user puts in the way, such a
 * child reaches nothing that the user could not reach alone. Paths are relative to the home, made by the agent, and
 * never start with a dash.
 */

export class FilesAsUser {
  readonly #child: AccountChild;
  readonly #look: LookAsUsers;
  readonly #welcomePage: string;

  constructor(child: AccountChild, look: LookAsUsers, welcomePage: string) {
    this.#child = child;
    this.#look = look;
    this.#welcomePage = welcomePage;
  }

  /** Which paths have nothing at all there, not even a broken link. */
  async missing(uid: number, home: string, paths: readonly string[]): Promise<string[]> {
    const seen = await this.#look({ uid, home, paths });
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

  /** Made beside its place and moved there whole, so that a document root is never seen without its page. */
  async createDocumentRoot(uid: number, home: string, path: string): Promise<void> {
    assertRelative([path]);
    const parents = withParents(path).slice(0, -1);
    const folders = parents.map((parent) => join(home, parent));
    await this.#child.createPage(uid, join(home, path), this.#welcomePage, folders);
  }

  /** Removes what the user can remove, folders that the user had closed included. What is left is not an error. */
  async empty(uid: number, home: string): Promise<void> {
    await this.#child.empty(uid, home);
  }
}

/** The mode is that of every folder that is made, those on the way included. */
function withParents(path: string): string[] {
  const parts = path.split('/');
  return parts.map((_, at) => parts.slice(0, at + 1).join('/'));
}

import type { Exec } from './exec.ts';
import { assertRelative, type LookAsUsers } from './look-as-users.ts';

/**
 * Everything below a home, by children that dropped to the account's uid and gid: whatever links the
 * user puts in the way, such a child reaches nothing that the user could not reach alone. Paths are
 * relative to the home, made by the agent, and never start with a dash.
 */
const PATHS_AT_ONCE = 400;
const REMOVAL_TIMEOUT_MS = 600_000;

export class FilesAsUser {
  readonly #exec: Exec;
  readonly #look: LookAsUsers;
  readonly #welcomePage: string;

  constructor(exec: Exec, look: LookAsUsers, welcomePage: string) {
    this.#exec = exec;
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
    for (let from = 0; from < paths.length; from += PATHS_AT_ONCE) {
      const some = paths.slice(from, from + PATHS_AT_ONCE).flatMap(withParents);
      await this.#exec.change('/usr/bin/mkdir', ['-p', '-m', mode, '--', ...some], { as: uid, cwd: home });
    }
  }

  /** Made beside its place and moved there whole, so that a document root is never seen without its page. */
  async createDocumentRoot(uid: number, home: string, path: string): Promise<void> {
    assertRelative([path]);
    const fresh = `${path}.innkeeper-new`;
    const options = { as: uid, cwd: home };
    await this.#exec.change('/usr/bin/mkdir', ['-p', '-m', '0755', '--', ...withParents(fresh)], options);
    const copy = ['--preserve=mode', '--', this.#welcomePage, `${fresh}/index.php`];
    await this.#exec.change('/usr/bin/cp', copy, options);
    await this.#exec.change(
      '/usr/bin/mv',
      ['--no-clobber', '--no-target-directory', '--', fresh, path],
      options,
    );
  }

  /** As `emptyAsUser`. */
  async empty(uid: number, home: string): Promise<void> {
    await emptyAsUser(this.#exec, uid, home);
  }
}

/** Removes what the user can remove, folders that the user had closed included. What is left is not an error. */
export async function emptyAsUser(exec: Exec, uid: number, folder: string): Promise<void> {
  const options = { as: uid, cwd: folder, accept: [0, 1], timeoutMs: REMOVAL_TIMEOUT_MS };
  const remove = () => exec.change('/usr/bin/find', ['.', '-xdev', '-mindepth', '1', '-delete'], options);
  if ((await remove()).exitCode === 0) return;
  await exec.change('/usr/bin/chmod', ['-R', '--', 'u+rwx', '.'], options);
  await remove();
}

/** `mkdir -m` sets the mode of what it is given, not of the parents that it makes on the way. */
function withParents(path: string): string[] {
  const parts = path.split('/');
  return parts.map((_, at) => parts.slice(0, at + 1).join('/'));
}

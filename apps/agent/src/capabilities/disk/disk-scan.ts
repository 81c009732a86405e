import { DATABASE_NAME_PATTERN } from '@innkeeper/domain';
import type { Exec } from '../../node/exec.ts';
import { HostError, refused } from '../../node/host-error.ts';
import { tmpPlaces } from '../../node/tmp-folders.ts';
import type { Disk, DiskQuota, StoredThings } from './host.ts';

/**
 * Measures homes by user quota where quotas are counted, and otherwise by `du`. Databases are always measured by `du`.
 * One `du` measures many accounts. It stays on one file system for each path, does not follow links, and counts hard
 * links once. It runs as nobody with the single capability to read folders that it could not enter otherwise, so it
 * cannot change anything. It runs with idle CPU and disk priority.
 */
const NOBODY = '65534';
const AS_READER = [
  ...['--reuid', NOBODY, '--regid', NOBODY, '--clear-groups', '--no-new-privs'],
  ...['--inh-caps', '-all,+dac_read_search', '--ambient-caps', '-all,+dac_read_search', '--'],
  ...['/usr/bin/nice', '-n', '19', '/usr/bin/ionice', '-c', '3'],
];
const MEASURE = ['/usr/bin/du', '--summarize', '--one-file-system', '--block-size=1', '--null', '--'];
const TIMEOUT_MS = 60_000;
/** Timeout for an account that used up the timeout of its batch: millions of files, none of them cached. In ms. */
const ALONE_TIMEOUT_MS = 300_000;

export class DiskScan implements Disk {
  /** The arguments of setpriv before the program that reads. */
  static readonly asReader: readonly string[] = AS_READER;
  readonly #exec: Exec;
  readonly #databaseFolder: () => Promise<string>;
  readonly #quota: Pick<DiskQuota, 'stored'>;
  readonly #homes: string;

  constructor(
    exec: Exec,
    databaseFolder: () => Promise<string>,
    quota: Pick<DiskQuota, 'stored'>,
    homes = '/home',
  ) {
    this.#exec = exec;
    this.#databaseFolder = databaseFolder;
    this.#quota = quota;
    this.#homes = homes;
  }

  async measure(
    accounts: readonly StoredThings[],
    signal?: AbortSignal,
  ): Promise<ReadonlyMap<number, number>> {
    const found = new Map(await this.#scan(accounts, signal));
    const [slowest, ...others] = accounts.filter(({ owner }) => !found.has(owner.uid));
    if (slowest === undefined || accounts.length === 1) return found;
    for (const some of [others, [slowest]])
      for (const [uid, bytes] of await this.measure(some, signal)) found.set(uid, bytes);
    return found;
  }

  async measureDatabases(accounts: readonly StoredThings[]): Promise<ReadonlyMap<number, number>> {
    return await this.#scan(accounts, undefined, false);
  }

  /**
   * Returns the accounts that one program has finished: in their order, up to the one at which the timeout ended it.
   */
  async #scan(
    accounts: readonly StoredThings[],
    signal?: AbortSignal,
    withHomes = true,
  ): Promise<ReadonlyMap<number, number>> {
    if (accounts.length === 0 || signal?.aborted === true) return new Map();
    const [databaseFolder, stored] = await Promise.all([
      this.#databaseFolder(),
      withHomes ? this.#stored() : undefined,
    ]);
    const owners = new Map<string, number>();
    for (const { owner, databases } of accounts) {
      if (withHomes && stored?.has(owner.uid) !== true)
        // The home is last: once it is measured, the account is finished, even if its other paths do not exist.
        for (const path of [
          ...tmpPlaces(owner, `${this.#homes}/.innkeeper-tmp`),
          `${this.#homes}/${owner.name}`,
        ])
          owners.set(path, owner.uid);
      for (const name of databases) owners.set(`${databaseFolder}/${fileNameOf(name)}`, owner.uid);
    }
    const found = new Map(accounts.map(({ owner }) => [owner.uid, stored?.get(owner.uid) ?? 0]));
    if (owners.size === 0) return found;
    const paths = [...owners.keys()];
    const { exitCode, stdout } = await this.#exec.attempt(
      '/usr/bin/setpriv',
      [...DiskScan.asReader, ...MEASURE, ...paths],
      { timeoutMs: accounts.length === 1 ? ALONE_TIMEOUT_MS : TIMEOUT_MS, signal },
    );
    const sizes = parseSizes(stdout);
    for (const [path, bytes] of sizes) {
      const uid = owners.get(path);
      if (uid !== undefined) found.set(uid, found.get(uid)! + bytes);
    }
    // Exit code 1: a path does not exist, or disappeared during the count.
    if (exitCode === 0 || exitCode === 1) return found;
    const reached = paths.findLastIndex((path) => sizes.has(path));
    for (const path of paths.slice(reached + 1)) found.delete(owners.get(path)!);
    return found;
  }

  /** An error of the quota is no failure here: homes can be measured by `du` instead. */
  async #stored(): Promise<ReadonlyMap<number, number> | undefined> {
    try {
      return await this.#quota.stored();
    } catch (error) {
      if (error instanceof HostError) return undefined;
      throw error;
    }
  }
}

/** Bytes by path. A line without an end, from a program that was killed, is ignored. */
function parseSizes(printed: string): ReadonlyMap<string, number> {
  const sizes = new Map<string, number>();
  for (const entry of printed.split('\0').slice(0, -1)) {
    const [, bytes, path] = /^(\d+)\t(.*)$/s.exec(entry) ?? [];
    if (path !== undefined) sizes.set(path, Number(bytes));
  }
  return sizes;
}

/** MariaDB and MySQL encode each character of a name that is not a letter, digit or underscore. */
function fileNameOf(database: string): string {
  if (!DATABASE_NAME_PATTERN.test(database)) throw refused('The name is not that of a database.');
  return database.replaceAll('-', '@002d');
}

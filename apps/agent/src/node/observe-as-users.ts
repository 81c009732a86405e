import { coalesce, type Request } from './coalesce.ts';
import type { Exec } from './exec.ts';
import { HostError, refused } from './host-error.ts';
import perl from './perl.embed.ts';

/**
 * Which paths to observe, and as which user. Paths are relative to the home, built by the agent, and never start with a
 * dash.
 */
interface HomePaths {
  readonly uid: number;
  readonly home: string;
  readonly paths: readonly string[];
  /** Whether to read the files of up to 4 KiB among them. Default: no. */
  readonly reads?: boolean;
}

/** The entry at a path itself. Untrusted: written by the tenant. */
export interface Seen {
  readonly kind: 'folder' | 'file' | 'link' | 'other';
  /** Target of a link. Empty for a target of more than 1,000 bytes, and for all other entries. */
  readonly target: string;
  /** Whether a link leads to a folder, as far as the account can follow it. */
  readonly leadsToFolder: boolean;
  /** Content of a requested file. Undefined if the file is too large or the account cannot read it. */
  readonly text: string | undefined;
}

/** Entries by path. Missing entries, and entries that the account cannot reach, are left out. */
export type ObserveAsUsers = (wanted: HomePaths) => Promise<ReadonlyMap<string, Seen>>;

const RELATIVE_PATH =
  /^(?!.*(?:^|\/)\.{1,2}(?:\/|$))[A-Za-z0-9._][A-Za-z0-9._-]*(?:\/[A-Za-z0-9._][A-Za-z0-9._-]*)*$/;

/**
 * Observes paths below homes for many accounts with one child process, observe-as-users.pl: 5,000 accounts are observed
 * every few minutes, and a process for each would take most of the time. The child reads the entry at each path and, if
 * requested, the content of a small file. It does this for each account under the account's effective uid and gid,
 * without other groups or capabilities. So links lead it only where the user could go too. Its real uid stays root's,
 * so the user can neither stop nor trace it. It opens only a file at that exact path, and waits neither for the other
 * end of a pipe nor for the holder of a lease.
 *
 * One home that hangs (a file system in user space) must not block the others: the accounts of a failed batch are
 * retried one by one.
 *
 * Create one and share it: concurrent observations below homes share a child process, whichever tool requests them.
 */
export function createObserveAsUsers(exec: Exec): ObserveAsUsers {
  const observeBatch = async (requests: readonly HomeRequest[]) =>
    resolveAll(requests, await readHomes(exec, requests));
  const observeTogether = coalesce<HomePaths, ReadonlyMap<string, Seen>>(async (requests) => {
    try {
      await observeBatch(requests);
    } catch (error) {
      if (requests.length === 1) throw error;
      await Promise.all(
        requests.map((request) => observeBatch([request]).catch((reason) => request.reject(reason))),
      );
    }
  });
  return async (wanted) => {
    assertRelative(wanted.paths);
    return await observeTogether(wanted);
  };
}

/** Throws HostError `Refused` for a path that is not relative to a home and built by the agent. */
export function assertRelative(paths: readonly string[]): void {
  const wrong = paths.find((path) => !RELATIVE_PATH.test(path));
  if (wrong !== undefined) throw refused('The path below the home is not one that the agent uses.');
}

type HomeRequest = Request<HomePaths, ReadonlyMap<string, Seen>>;

async function readHomes(exec: Exec, requests: readonly HomeRequest[]): Promise<string[]> {
  const input = requests.map(
    ({ input: { uid, home, paths, reads } }) => `${[uid, reads ? 1 : 0, home, ...paths].join('\t')}\n`,
  );
  const { stdout } = await exec.run('/usr/bin/perl', ['-e', perl.observeAsUsers], { input: input.join('') });
  const lines = stdout.split('\n').slice(0, -1);
  if (lines.length !== requests.length) throw new HostError('Failed', 'The agent could not read the homes.');
  return lines;
}

function resolveAll(requests: readonly HomeRequest[], lines: readonly string[]): void {
  for (const [at, { input, resolve }] of requests.entries()) {
    const fields = lines[at]!.split('\t').slice(1);
    const seen = input.paths.map((path, index) => [path, readField(fields[index] ?? '-')] as const);
    resolve(new Map(seen.filter((entry): entry is [string, Seen] => entry[1] !== undefined)));
  }
}

const kinds: Readonly<Record<string, Seen['kind']>> = {
  d: 'folder',
  f: 'file',
  t: 'file',
  l: 'link',
  L: 'link',
  o: 'other',
};

function readField(field: string): Seen | undefined {
  const letter = field[0]!;
  const kind = kinds[letter];
  if (kind === undefined) return undefined;
  const text = Buffer.from(field.slice(1), 'hex').toString();
  return {
    kind,
    target: kind === 'link' ? text : '',
    leadsToFolder: letter === 'L',
    text: letter === 't' ? text : undefined,
  };
}

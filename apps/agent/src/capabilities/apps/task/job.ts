import type { Commit } from '@innkeeper/domain';

/**
 * The agent's input for a task, over standard input. Paths are relative to the home, which is the task's working
 * folder. The name of a release is its id, or `0` for the installer's release.
 */
export interface PrepareJob {
  /** Folder of the app. */
  readonly folder: string;
  readonly release: string;
  /** Copied to the result, so that the result of an earlier attempt is not used for this one. */
  readonly attempt: number;
  readonly source: Source;
  /** Null: no build is needed. */
  readonly build: BuildPlan | null;
  /** Path of the build log. */
  readonly log: string;
}

export type Source = StarterSource | WordPressSource | ZipSource | GitSource;

export interface StarterSource {
  readonly kind: 'starter';
  readonly runtime: 'php' | 'static' | 'nodejs';
}

export interface WordPressSource {
  readonly kind: 'wordpress';
  /** A folder of the server, or the HTTPS URL of a tar.gz. */
  readonly from: string;
  /** SHA-256 of the archive, as hex; null: not checked. */
  readonly sha256: string | null;
  /** Host name of the blog during the installation. */
  readonly host: string;
  readonly title: string;
  /** User name of the first administrator. */
  readonly user: string;
  readonly email: string;
  /** Empty: a password is generated. */
  readonly password: string;
}

/** The archive is in standard input, before the job. */
interface ZipSource {
  readonly kind: 'zip';
}

export interface GitSource {
  readonly kind: 'git';
  readonly repository: string;
  readonly branch: string;
  /** Private key; empty for none. */
  readonly deployKey: string;
  /** Non-public networks that Git may connect to. */
  readonly allowedNetworks: readonly string[];
}

export interface BuildPlan {
  /** Major version of Node.js that the app runs with. */
  readonly nodeVersion: string;
  readonly registry: string;
  readonly env: Readonly<Record<string, string>>;
}

/** One short step below a home, by the same program. */
export type FilesJob = SwapJob | UnlinkJob | RemoveJob | WriteJob;

export interface SwapJob {
  readonly kind: 'swap';
  readonly folder: string;
  readonly release: string;
  /** The path where nginx expects the app: a link to its current release. Null: none. */
  readonly link: string | null;
  /**
   * The folders at the link's path that become this release's content instead of a backup. `no sources`: folders
   * without source files, because no program would run these any more.
   */
  readonly adopts: 'anything' | 'no sources' | 'nothing';
  /** Path where other content is kept. */
  readonly keptAs: string;
  /** A folder that contains only this page is not user content. */
  readonly welcomePage: string;
  /** Number of releases to keep, including this one. */
  readonly keep: number;
  /** A release to keep in addition, whatever its age. */
  readonly spare: string | null;
}

export interface UnlinkJob {
  readonly kind: 'unlink';
  readonly folder: string;
  readonly link: string;
}

export interface RemoveJob {
  readonly kind: 'remove';
  readonly folder: string;
  readonly link: string | null;
  /** Log files of the app. */
  readonly logs: readonly string[];
}

/** A file that only the account can read, replaced atomically. */
export interface WriteJob {
  readonly kind: 'write';
  readonly path: string;
  readonly text: string;
}

/** The commit that a task cloned, as the task wrote it. */
export interface TaskCommit extends Commit {
  readonly release: string;
}

/** The failure of an attempt, as the task wrote it. */
export interface TaskResult {
  readonly release: string;
  readonly attempt: number;
  readonly sentence: string;
  /** Whether a retry may succeed. */
  readonly retry: boolean;
  /** The end of the log. */
  readonly tail: string;
}

/**
 * What the agent tells a task, over standard input. Paths are below the home, in which a task runs; a release is known
 * by its name: its id, or `0` for what the installer makes.
 */
export interface PrepareJob {
  /** Folder of the app. */
  readonly folder: string;
  readonly release: string;
  /** Stands in the result, so that one of an earlier attempt is not taken for this one's. */
  readonly attempt: number;
  readonly source: Source;
  /** Null: there is nothing to build. */
  readonly build: BuildPlan | null;
  /** The log of the build. */
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
  /** Of the archive, as hex; null: none is named. */
  readonly sha256: string | null;
  /** What the blog is called by while it is installed. */
  readonly host: string;
  readonly title: string;
  /** The first administrator. */
  readonly user: string;
  readonly email: string;
  /** Empty: one is made. */
  readonly password: string;
}

/** In standard input, before the job. */
interface ZipSource {
  readonly kind: 'zip';
}

export interface GitSource {
  readonly kind: 'git';
  readonly repository: string;
  readonly branch: string;
  /** Private key; empty for none. */
  readonly deployKey: string;
  /** Ranges that are no public ones and may be asked all the same. */
  readonly allowedNetworks: readonly string[];
}

export interface BuildPlan {
  /** Major version of Node.js that the app runs with. */
  readonly nodeVersion: string;
  readonly registry: string;
  readonly env: Readonly<Record<string, string>>;
}

/** One step below a home, done at once by the same program. */
export type FilesJob = SwapJob | UnlinkJob | RemoveJob | WriteJob;

export interface SwapJob {
  readonly kind: 'swap';
  readonly folder: string;
  readonly release: string;
  /** Where nginx looks for the app: a link to its current release. Null: nowhere. */
  readonly link: string | null;
  /**
   * Which folders that are in the link's way become this release's content, instead of being kept beside. `no sources`:
   * those without programs that nothing would run any more.
   */
  readonly adopts: 'anything' | 'no sources' | 'nothing';
  /** Where it is kept otherwise. */
  readonly keptAs: string;
  /** A folder with nothing but this page is nobody's work. */
  readonly welcomePage: string;
  /** How many releases stay, this one included. */
  readonly keep: number;
  /** One that stays besides, however old it is. */
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

/** A file for the account's eyes only, replaced as a whole. */
export interface WriteJob {
  readonly kind: 'write';
  readonly path: string;
  readonly text: string;
}

/** How an attempt failed, as the task wrote it. */
export interface TaskResult {
  readonly release: string;
  readonly attempt: number;
  readonly sentence: string;
  /** The same may succeed later. */
  readonly retry: boolean;
  /** The end of the log. */
  readonly tail: string;
}

import type { Commit } from '@innkeeper/domain';
import type { Owner } from '../../../node/owner.ts';

/** An archive in a file that only root can read. */
export interface ArchiveFile {
  readonly path: string;
  readonly bytes: number;
}

/** The operator's settings for all deploys. */
export interface DeploySettings {
  /** Default npm registry; a project may choose another one. */
  readonly npmRegistry: string;
  /** Timeout to unpack or clone a release and to build it, s. */
  readonly buildTimeoutS: number;
  /** Non-public networks that Git may connect to. */
  readonly gitAllowedNetworks: readonly string[];
  /** Source of WordPress. */
  readonly wordpress: WordPressOrigin;
}

export interface WordPressOrigin {
  /** A folder of this server, or the HTTPS URL of a tar.gz. */
  readonly from: string;
  /** SHA-256 of the archive, as hex; null: not checked. */
  readonly sha256: string | null;
}

/** A release whose archive is on the control plane. */
export interface WantedArchive {
  readonly accountId: number;
  readonly appId: number;
  readonly releaseId: number;
  readonly bytes: number;
  readonly sha256: string;
}

export type ArchiveState =
  | { readonly kind: 'fetching' }
  | { readonly kind: 'ready'; readonly file: ArchiveFile }
  | { readonly kind: 'failed'; readonly sentence: string; readonly retry: boolean };

/**
 * Downloads of archives from the control plane: in the background, one for each app. They are lost when the agent
 * stops.
 */
export interface Archives {
  /** The state of that release's archive; undefined before `fetch` was called for it. */
  state(owner: Owner, appId: number, releaseId: number): ArchiveState | undefined;
  /** Starts the download. An earlier download for the app is discarded. */
  fetch(owner: Owner, wanted: WantedArchive): void;
  discard(owner: Owner, appId: number): Promise<void>;
}

/** The paths to observe for an app, below the home. */
export interface AppPlaces {
  readonly appId: number;
  /** Name of the wanted release. */
  readonly release: string;
  /** The link to what the app serves; null for none. */
  readonly link: string | null;
}

export interface AppFilesState {
  /** The app has a folder. */
  readonly present: boolean;
  /** Name of the release that serves; undefined if none does. */
  readonly current: string | undefined;
  /** The wanted release exists, is complete, and is built. */
  readonly ready: boolean;
  /** The wanted release is being built. */
  readonly building: boolean;
  /** The link points to the app. */
  readonly linked: boolean;
}

export interface AppSwap extends AppPlaces {
  /** The folders at the link's path that become the release's content. */
  readonly adopts: 'anything' | 'no sources' | 'nothing';
  /** A release that is kept, whatever its age. */
  readonly spare: string | null;
}

/**
 * `~/apps/<id>`, through child processes that dropped to the account. What they read is untrusted. Concurrent
 * observations share one child process.
 */
export interface AppFiles {
  /** Returns an empty list for an empty list. */
  observe(owner: Owner, apps: readonly AppPlaces[]): Promise<AppFilesState[]>;
  /** Makes the release serve, and removes releases that are older than the kept ones. */
  swap(owner: Owner, swap: AppSwap): Promise<void>;
  /** Removes a link to the app. */
  unlink(owner: Owner, appId: number, link: string): Promise<void>;
  /** Removes everything that belongs only to the app. */
  remove(owner: Owner, appId: number, link: string | null): Promise<void>;
  /** The app's database settings from its file; undefined if the agent cannot have written what is there. */
  readSettings(owner: Owner, appId: number): Promise<string | undefined>;
  /** The end of the log of the newest build. Empty if there is none. */
  buildLog(owner: Owner, appId: number, bytes: number): Promise<string>;
  /** Replaces the file atomically; only the account can read it. Contains a secret. */
  writeSettings(owner: Owner, appId: number, text: string): Promise<void>;
  /** The result that the app's last task wrote; empty if it wrote none. */
  readResult(owner: Owner, appId: number): Promise<string>;
  /** The commit that the app's last task cloned, as the task wrote it; empty if it cloned none. */
  readCommit(owner: Owner, appId: number): Promise<string>;
}

/** The agent's durable state of an app. */
export interface AppRecord {
  readonly appId: number;
  /** The link that was created for it. */
  readonly link: string | null;
  /** The task that was started last and whose result has not been handled. */
  readonly task: { readonly release: string; readonly attempt: number } | null;
  readonly failure: {
    readonly release: string;
    readonly reason: string;
    readonly attempts: number;
    /** Milliseconds since 1970; null: no automatic retry. */
    readonly retryAt: number | null;
    /** The number of retries in the spec then. Undefined: 0. */
    readonly retries?: number | undefined;
  } | null;
  /**
   * The release whose program was running when the newest one was swapped in, and the time of the swap in ms since
   * 1970.
   */
  readonly former?: { readonly release: string; readonly swappedAt: number } | null | undefined;
  /** The commit of the release that was cloned last. */
  readonly commit?: ({ readonly release: string } & Readonly<Commit>) | null | undefined;
  /** The digest of the configuration with which the newest release's program did not start, and the reason. */
  readonly broken?: { readonly digest: string; readonly reason: string } | null | undefined;
}

export interface AppRecords {
  of(owner: Owner): Promise<AppRecord[]>;
  put(owner: Owner, record: AppRecord): Promise<void>;
  remove(owner: Owner, appId: number): Promise<void>;
}

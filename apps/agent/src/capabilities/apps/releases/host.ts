import type { Owner } from '../../../node/owner.ts';

/** An archive in a file of root's alone. */
export interface ArchiveFile {
  readonly path: string;
  readonly bytes: number;
}

/** What an operator says of all deploys. */
export interface DeploySettings {
  /** Where npm looks for packages, unless a project says otherwise. */
  readonly npmRegistry: string;
  /** Longest time that a release may take to be unpacked or cloned, and built. */
  readonly buildTimeoutS: number;
  /** Ranges that Git may be sent to although they are not public. */
  readonly gitAllowedNetworks: readonly string[];
  /** Where WordPress is taken from. */
  readonly wordpress: WordPressOrigin;
}

export interface WordPressOrigin {
  /** A folder of this server, or the HTTPS URL of a tar.gz. */
  readonly from: string;
  /** Of the archive, as hex; null: none is named. */
  readonly sha256: string | null;
}

/** A release whose archive the control plane has. */
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

/** Archives on their way from the control plane: fetched by themselves, one for each app, lost with the agent. */
export interface Archives {
  /** Of that release; undefined while nobody has asked for it. */
  state(owner: Owner, appId: number, releaseId: number): ArchiveState | undefined;
  /** Begins; what was fetched for the app before is discarded. */
  fetch(owner: Owner, wanted: WantedArchive): void;
  discard(owner: Owner, appId: number): Promise<void>;
}

/** Where to look for an app, below the home. */
export interface AppPlaces {
  readonly appId: number;
  /** Name of the release that is wanted. */
  readonly release: string;
  /** The link that leads to what the app serves; null for none. */
  readonly link: string | null;
}

export interface AppFilesState {
  /** The app has a folder. */
  readonly present: boolean;
  /** Name of the release that serves; undefined while none does. */
  readonly current: string | undefined;
  /** The wanted release is whole, built, and there. */
  readonly ready: boolean;
  /** The wanted release is being built. */
  readonly building: boolean;
  /** The link leads there. */
  readonly linked: boolean;
}

export interface AppSwap extends AppPlaces {
  /** Which folders that are in the link's way become the release's content. */
  readonly adopts: 'anything' | 'no sources' | 'nothing';
  /** A release that stays, however old it is. */
  readonly spare: string | null;
}

/** `~/apps/<id>`, by children that dropped to the account. What they see is a tenant's word. Concurrent looks share one. */
export interface AppFiles {
  /** None for none. */
  observe(owner: Owner, apps: readonly AppPlaces[]): Promise<AppFilesState[]>;
  /** Has the release serve, and removes what is older than those that are kept. */
  swap(owner: Owner, swap: AppSwap): Promise<void>;
  /** Removes a link that leads to the app. */
  unlink(owner: Owner, appId: number, link: string): Promise<void>;
  /** Everything that is the app's alone. */
  remove(owner: Owner, appId: number, link: string | null): Promise<void>;
  /** How the app reaches its database, as it is written there; undefined where nothing is that the agent can have written. */
  readSettings(owner: Owner, appId: number): Promise<string | undefined>;
  /** For the account alone, replaced as a whole. Holds a secret. */
  writeSettings(owner: Owner, appId: number, text: string): Promise<void>;
  /** What the last task of the app wrote of its end; empty when it wrote nothing. */
  readResult(owner: Owner, appId: number): Promise<string>;
}

/** What the agent must remember of an app, durably. */
export interface AppRecord {
  readonly appId: number;
  /** The link that was made for it. */
  readonly link: string | null;
  /** The task that was started last and has not been looked after. */
  readonly task: { readonly release: string; readonly attempt: number } | null;
  readonly failure: {
    readonly release: string;
    readonly reason: string;
    readonly attempts: number;
    /** Milliseconds since 1970; null: not by itself. */
    readonly retryAt: number | null;
  } | null;
  /** The release whose program was up when the newest was swapped in, and when that was, ms since 1970. */
  readonly former?: { readonly release: string; readonly swappedAt: number } | null | undefined;
  /** What the program of the newest release was started with, as a digest, when it would not come up; and why. */
  readonly broken?: { readonly digest: string; readonly reason: string } | null | undefined;
}

export interface AppRecords {
  of(owner: Owner): Promise<AppRecord[]>;
  put(owner: Owner, record: AppRecord): Promise<void>;
  remove(owner: Owner, appId: number): Promise<void>;
}

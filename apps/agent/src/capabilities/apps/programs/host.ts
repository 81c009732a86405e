import type { Owner } from '../../../node/owner.ts';

/** `failed`: it was restarted repeatedly and is not restarted any more. */
export type ProgramActivity = 'inactive' | 'starting' | 'running' | 'stopping' | 'failed';

export interface ProgramState {
  readonly appId: number;
  /** The program's start configuration. */
  readonly config: { readonly text: string; readonly accessRight: boolean } | undefined;
  /** Whether socket and program start at boot. */
  readonly enabled: boolean;
  /** systemd listens, and the socket file exists with the right owner and mode. */
  readonly listening: boolean;
  /** Some part of the socket or the program runs, has failed, or would start. */
  readonly present: boolean;
  readonly activity: ProgramActivity;
  /** Whether the program was last started with the configuration on disk, or will be. */
  readonly current: boolean;
  /** When it was last ready, ms since 1970; undefined: not since systemd has known it. */
  readonly readyAtMs: number | undefined;
  /**
   * The program runs but does not accept connections; with the TCP port that it listens on instead, if it reports one.
   */
  readonly notListening: { readonly otherPort: number | undefined } | undefined;
}

/** Programs of Node.js apps: a configuration file, a socket unit and a service unit each. */
export interface Programs {
  /** Observes the given apps, and every other program that the node has for the account. */
  observe(owner: Owner, appIds: readonly number[]): Promise<ProgramState[]>;
  /** Whether the account has a folder of configurations, or units of its own. */
  hasUnits(owner: Owner): Promise<boolean>;
  /**
   * Keyed by app: the folder that the app's link `current` points to, whether it exists or not. Untrusted: written by
   * the tenant.
   */
  releases(owner: Owner, appIds: readonly number[]): Promise<ReadonlyMap<number, string>>;
  writeConfig(owner: Owner, appId: number, text: string): Promise<void>;
  removeConfig(owner: Owner, appId: number): Promise<void>;
  /** Opens or reopens the socket, now and at every boot. Stops the program first if necessary. */
  listen(owner: Owner, appId: number): Promise<void>;
  /** Restarts the program in the background; `observe` reports the progress. Requests wait in the meantime. */
  start(owner: Owner, appId: number): Promise<void>;
  /**
   * Closes the socket and asks the program to stop, with 10 s for its last requests. `observe` reports the progress.
   */
  stopSoon(owner: Owner, appId: number): Promise<void>;
  /** Stops socket and program at once, and aborts current requests. */
  end(owner: Owner, appId: number): Promise<void>;
  /** Removes the account's units and its folder, after no app is left. */
  removeUnits(owner: Owner): Promise<void>;
  /** The newest output of the program. Untrusted: written by the tenant. */
  log(owner: Owner, appId: number, bytes: number): Promise<string>;
  hasLog(owner: Owner, appId: number): Promise<boolean>;
  removeLog(owner: Owner, appId: number): Promise<void>;
}

import type { Owner } from '../../../node/owner.ts';

/** `failed`: it was started over and over and is now left alone. */
export type ProgramActivity = 'inactive' | 'starting' | 'running' | 'stopping' | 'failed';

export interface ProgramState {
  readonly appId: number;
  /** What it is started with. */
  readonly config: { readonly text: string; readonly accessRight: boolean } | undefined;
  /** Whether socket and program come up at boot. */
  readonly enabled: boolean;
  /** systemd listens, and the socket file is there with its owner and mode. */
  readonly listening: boolean;
  /** Some part of the socket or the program runs, has failed, or would come up. */
  readonly present: boolean;
  readonly activity: ProgramActivity;
  /** Whether the program was last started with the configuration on disk, or will be. */
  readonly current: boolean;
  /** When it was ready last, ms since 1970; undefined: not since systemd knows of it. */
  readonly readyAtMs: number | undefined;
  /** It is up and takes no visitors: the port of TCP that it listens on instead, if it says so. */
  readonly notListening: { readonly otherPort: number | undefined } | undefined;
}

/** Programs of Node.js apps: a configuration file, a socket unit and a service unit each. */
export interface Programs {
  /** The given apps, and whatever else the node has for the account. */
  observe(owner: Owner, appIds: readonly number[]): Promise<ProgramState[]>;
  /** Whether the account has a folder of configurations, or units of its own. */
  hasUnits(owner: Owner): Promise<boolean>;
  /** By app: the folder that its link `current` points to, whatever is there. A tenant's word. */
  releases(owner: Owner, appIds: readonly number[]): Promise<ReadonlyMap<number, string>>;
  writeConfig(owner: Owner, appId: number, text: string): Promise<void>;
  removeConfig(owner: Owner, appId: number): Promise<void>;
  /** (Re)opens the socket, for now and for every boot; stops the program first if that is needed. */
  listen(owner: Owner, appId: number): Promise<void>;
  /** Starts it anew; `observe` tells how that goes. Requests wait meanwhile. */
  start(owner: Owner, appId: number): Promise<void>;
  /** Closes the socket and asks the program to end, with 10 s for its last requests; `observe` tells how that goes. */
  stopSoon(owner: Owner, appId: number): Promise<void>;
  /** Socket and program away at once, requests that run included. */
  end(owner: Owner, appId: number): Promise<void>;
  /** The account's units and its folder, once no app is left. */
  removeUnits(owner: Owner): Promise<void>;
  /** The newest of what the program has said. A tenant's word. */
  log(owner: Owner, appId: number, bytes: number): Promise<string>;
  hasLog(owner: Owner, appId: number): Promise<boolean>;
  removeLog(owner: Owner, appId: number): Promise<void>;
}

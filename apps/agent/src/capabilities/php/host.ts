import type { Owner } from '../../node/owner.ts';

export interface PhpState {
  /** The FPM configuration on disk; `foreign` when it lacks our header. */
  readonly config:
    | { readonly text: string; readonly accessRight: boolean; readonly foreign: boolean }
    | undefined;
  /** Whether the socket starts at boot. */
  readonly enabled: boolean;
  /** systemd listens, and the socket file is there with its owner and mode. */
  readonly listening: boolean;
  /** Some part of the socket or the service exists. */
  readonly present: boolean;
  /** systemd has the socket or the service up, whether it can be reached or not. */
  readonly up: boolean;
  /** Whether the running service read the configuration on disk; undefined when it does not run. */
  readonly current: boolean | undefined;
}

export interface PhpService {
  readonly uid: number;
  /** Workers that serve a request. */
  readonly active: number;
  /** Requests since it started. */
  readonly requests: number;
}

/** The account's own FPM: a configuration file, a socket unit, a service unit. */
export interface Php {
  observe(owner: Owner): Promise<PhpState>;
  writeConfig(owner: Owner, text: string): Promise<void>;
  removeConfig(owner: Owner): Promise<void>;
  enable(owner: Owner): Promise<void>;
  disable(owner: Owner): Promise<void>;
  /** Opens the socket; nothing may be up, for systemd opens none of a service that runs already. */
  listen(owner: Owner): Promise<void>;
  /** Socket and service down, after the requests that run. */
  close(owner: Owner): Promise<void>;
  /** Ends the service after its requests; the next request starts it with the configuration on disk. */
  retire(owner: Owner): Promise<void>;
  /** Socket and service away at once, requests that run included. */
  stop(owner: Owner): Promise<void>;
  /** The FPM masters that run. */
  services(): Promise<PhpService[]>;
}

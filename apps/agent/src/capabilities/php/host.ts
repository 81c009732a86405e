import type { Owner } from '../../node/owner.ts';

/** A file on disk; `foreign` when it lacks our header. */
export interface PhpFile {
  readonly text: string;
  readonly accessRight: boolean;
  readonly foreign: boolean;
}

/** What an account's FPM reads. */
export interface PhpTexts {
  readonly pool: string;
  /** The settings of its sites. Null: no site has any. */
  readonly sites: string | null;
}

export interface PhpState {
  /** The FPM configuration. */
  readonly config: PhpFile | undefined;
  /** The settings of sites. A file that was there once stays until the account is gone, so that its time shows each change. */
  readonly sites: PhpFile | undefined;
  /** Whether the socket starts at boot. */
  readonly enabled: boolean;
  /** systemd listens, and the socket file exists with the right owner and mode. */
  readonly listening: boolean;
  /** Some part of the socket or the service exists. */
  readonly present: boolean;
  /** systemd has started the socket or the service, whether clients can reach it or not. */
  readonly up: boolean;
  /** Whether the running service has read the configuration on disk; undefined when it does not run. */
  readonly current: boolean | undefined;
}

export interface PhpService {
  readonly uid: number;
  /** Workers that are serving a request. */
  readonly active: number;
  /** Requests since its start. */
  readonly requests: number;
}

/** The account's own FPM: a configuration file, a socket unit, a service unit. */
export interface Php {
  observe(owner: Owner): Promise<PhpState>;
  /** Writes both files. A file of settings that is no longer needed becomes empty. */
  writeConfig(owner: Owner, texts: PhpTexts): Promise<void>;
  removeConfig(owner: Owner): Promise<void>;
  enable(owner: Owner): Promise<void>;
  disable(owner: Owner): Promise<void>;
  /** Opens the socket. The service must not run: systemd does not open the socket of a running service. */
  listen(owner: Owner): Promise<void>;
  /** Stops socket and service after the current requests. */
  close(owner: Owner): Promise<void>;
  /** Stops the service after its current requests. The next request starts it with the configuration on disk. */
  retire(owner: Owner): Promise<void>;
  /** Stops socket and service at once, and aborts current requests. */
  stop(owner: Owner): Promise<void>;
  /** The running FPM masters. */
  services(): Promise<PhpService[]>;
}

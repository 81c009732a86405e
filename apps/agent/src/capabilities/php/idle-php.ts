import type { Owner } from '../../node/owner.ts';
import type { Host } from '../host.ts';

/**
 * Stops the FPM of idle accounts: then an idle account costs only a socket. FPM counts its requests and reports them to
 * systemd every 10 s. An FPM whose count stays the same for `idleAfterMs` and that serves no request is stopped with
 * SIGQUIT, which lets a request that has just arrived finish. The next request starts it again.
 */
export class IdlePhp {
  readonly #host: Host;
  readonly #idleAfterMs: number;
  readonly #ownerOf: (uid: number) => Owner | undefined;
  readonly #seen = new Map<number, { requests: number; since: number }>();

  /** `ownerOf` returns the ledger's account of a uid. PHP of other uids is left alone. */
  constructor(host: Host, idleAfterMs: number, ownerOf: (uid: number) => Owner | undefined) {
    this.#host = host;
    this.#idleAfterMs = idleAfterMs;
    this.#ownerOf = ownerOf;
  }

  /** Checks all services once; call it about every minute. Returns how many were stopped. Throws HostError. */
  async sweep(now: number): Promise<number> {
    const services = await this.#host.php.services();
    const running = new Set(services.map((service) => service.uid));
    for (const uid of this.#seen.keys()) if (!running.has(uid)) this.#seen.delete(uid);
    let stopped = 0;
    for (const { uid, active, requests } of services) {
      const seen = this.#seen.get(uid);
      if (seen === undefined || seen.requests !== requests || active > 0) {
        this.#seen.set(uid, { requests, since: now });
        continue;
      }
      const owner = this.#ownerOf(uid);
      if (owner === undefined || now - seen.since < this.#idleAfterMs) continue;
      await this.#host.php.retire(owner);
      this.#seen.delete(uid);
      stopped += 1;
    }
    return stopped;
  }
}

import type { Log } from '../node/log.ts';
import type { Unsubscribe } from './control-plane.ts';

/** Listeners for one kind of event. A listener that throws does not prevent the others from being called. */
export class Listeners<T extends unknown[]> {
  readonly #listeners = new Set<(...event: T) => void>();
  readonly #log: Log;

  constructor(log: Log) {
    this.#log = log;
  }

  add(listener: (...event: T) => void): Unsubscribe {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  tell(...event: T): void {
    for (const listener of this.#listeners) {
      try {
        listener(...event);
      } catch (error) {
        this.#log.error({ err: error }, 'A listener of the control plane failed.');
      }
    }
  }
}

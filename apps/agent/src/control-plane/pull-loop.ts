import type { ControlPlane } from './control-plane.ts';

const PAGE = 500;

export interface PullLoopDeps {
  controlPlane: Pick<ControlPlane, 'pullAccounts'>;
  /** Receives one account as it came from the wire. */
  receive: (account: unknown) => Promise<void>;
  /** Generation of the settings of the server itself. */
  settingsGeneration: () => number;
  /** Receives them as they came from the wire. */
  receiveSettings: (settings: unknown) => Promise<void>;
  onPulled: () => void;
  onFailed: (error: unknown) => void;
}

/**
 * Asks the control plane for changed accounts. Concurrent requests are merged: one pull runs at a time, and requests
 * during it cause one more pull.
 */
export class PullLoop {
  readonly #deps: PullLoopDeps;
  #current: Promise<void> | undefined;
  #again = false;
  #stopped = false;

  constructor(deps: PullLoopDeps) {
    this.#deps = deps;
  }

  /** Resolves when a pull that started after this call has been answered or has failed. */
  pull(): Promise<void> {
    if (this.#stopped) return Promise.resolve();
    if (this.#current !== undefined) {
      this.#again = true;
      return this.#current;
    }
    this.#current = this.#pullUntilQuiet().finally(() => {
      this.#current = undefined;
    });
    return this.#current;
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#current;
  }

  async #pullUntilQuiet(): Promise<void> {
    do {
      this.#again = false;
      try {
        await this.#pullAllPages();
        this.#deps.onPulled();
      } catch (error) {
        this.#deps.onFailed(error);
      }
    } while (this.#again && !this.#stopped);
  }

  async #pullAllPages(): Promise<void> {
    let after = 0;
    for (;;) {
      const page = await this.#deps.controlPlane.pullAccounts(after, PAGE, this.#deps.settingsGeneration());
      if (this.#stopped) return;
      if (page.settings !== undefined) await this.#deps.receiveSettings(page.settings);
      await Promise.all(page.accounts.map((account) => this.#deps.receive(account)));
      const last = Math.max(after, ...page.accounts.map(accountIdOf));
      if (!page.has_more || last === after) return;
      after = last;
    }
  }
}

/** For paging only. Returns 0 if the account id cannot be read. */
function accountIdOf(account: unknown): number {
  if (typeof account !== 'object' || account === null || !('account_id' in account)) return 0;
  return typeof account.account_id === 'number' && Number.isSafeInteger(account.account_id)
    ? account.account_id
    : 0;
}

import { randomInt } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { AccountLedger } from './account-ledger.ts';
import type { Answer } from './answer.ts';
import { Client, type Wire } from './client.ts';
import { type Options, type TokenKind, tokenKinds } from './options.ts';
import { Skipped, skip } from './outcome.ts';

/** Shared state of the clauses: clients, shared records, and received answers. */
export class World {
  readonly options: Options;
  /** Client with the main token. */
  readonly api: Client;
  /** Client without a token. */
  readonly anonymous: Client;
  readonly accounts: AccountLedger;
  /** Prefix of the names of everything that the run creates. */
  readonly prefix = `cf${Array.from({ length: 5 }, () => randomInt(36).toString(36)).join('')}`;
  /** Every answer so far, oldest first, without the bodies. */
  readonly seen: Seen[] = [];
  private readonly wire: Wire;
  private readonly others: Partial<Record<TokenKind, Client>> = {};
  private readonly made = new Map<string, Promise<unknown>>();

  constructor(options: Options, wire: Wire) {
    this.options = options;
    this.wire = wire;
    this.api = new Client(wire, options.token);
    this.anonymous = new Client(wire);
    for (const kind of tokenKinds)
      if (options.tokens[kind] !== undefined) this.others[kind] = new Client(wire, options.tokens[kind]);
    this.accounts = new AccountLedger(this.api);
  }

  get signal(): AbortSignal {
    return this.wire.signal;
  }

  /** Returns the client of an additional token. Skips the clause if that token was not given. */
  as(kind: TokenKind): Client {
    return this.others[kind] ?? skip(`needs --${kind}-token`);
  }

  withToken(token: string): Client {
    return new Client(this.wire, token);
  }

  /** Returns a username that is unique to this run. `rest`: at most 9 characters. */
  username(rest: string): string {
    return `${this.prefix}${rest}`.slice(0, 16);
  }

  domainName(rest: string): string {
    return `${this.prefix}-${rest}.${this.options.domainSuffix}`;
  }

  /**
   * Creates a record once for all clauses that use that name. If it cannot be created, no clause fails because of it.
   */
  once<T>(name: string, make: () => Promise<T>): Promise<T> {
    const known = this.made.get(name) as Promise<T> | undefined;
    if (known !== undefined) return known;
    const making = make().catch((error: unknown) => {
      this.signal.throwIfAborted();
      const reason = error instanceof Error ? error.message : String(error);
      throw new Skipped(error instanceof Skipped ? reason : `${name} could not be had: ${reason}`);
    });
    this.made.set(name, making);
    return making;
  }

  /** Returns the record that an earlier clause created under that name. Skips the clause if there is none. */
  async had<T>(name: string): Promise<T> {
    const known = this.made.get(name) as Promise<T> | undefined;
    return (await known) ?? skip(`needs ${name}, and the clause that creates it did not run`);
  }

  /** Polls with growing intervals until the answer meets the condition or the timeout ends. Returns the last answer. */
  async poll(ask: () => Promise<Answer>, isDone: (answer: Answer) => boolean): Promise<Answer> {
    const deadline = performance.now() + this.options.settleMs;
    for (let pauseMs = 250; ; pauseMs = Math.min(pauseMs * 2, 5_000)) {
      const answer = await ask();
      if (isDone(answer) || performance.now() + pauseMs > deadline) return answer;
      await delay(pauseMs, undefined, { signal: this.signal });
    }
  }
}

export interface Seen {
  request: string;
  status: number;
  isJson: boolean;
  hasErrorBody: boolean;
  /** Names of fields that contain a password. */
  passwordFields: string[];
}

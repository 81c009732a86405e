/** An order as RFC 8555 has it. */
export interface AuthorityOrder {
  readonly url: string;
  readonly status: 'pending' | 'ready' | 'processing' | 'valid' | 'invalid';
  readonly authorizations: readonly string[];
  readonly finalize: string;
  readonly certificate: string | undefined;
}

/** What is to be found below a name, so that the authority believes in it. */
export interface Challenge {
  readonly url: string;
  /** File name; what the authority says, to be checked. */
  readonly token: string;
  readonly answer: string;
}

/** A certificate authority that speaks ACME. Every method throws AuthorityError. */
export interface Authority {
  createOrder(names: readonly string[]): Promise<AuthorityOrder>;
  /** Undefined when the authority does not know it any more. Throws the authority's own words for one that it refused. */
  findOrder(url: string): Promise<AuthorityOrder | undefined>;
  /** The http-01 challenges that are still open. */
  challenges(order: AuthorityOrder): Promise<Challenge[]>;
  /** Has the authority look for the answer. */
  ready(challenge: Challenge): Promise<void>;
  finalize(order: AuthorityOrder, names: readonly string[], privateKeyPem: string): Promise<AuthorityOrder>;
  /** The certificate and what it is signed by, PEM. */
  chain(order: AuthorityOrder): Promise<string>;
}

/** What an authority refused, in its own words, or why it did not answer. */
export class AuthorityError extends Error {
  /** Whether the authority decided; false: it could not be asked, or could not work. */
  readonly refused: boolean;
  /** How long it asks to be left alone, ms. */
  readonly waitMs: number | undefined;
  readonly status: number | undefined;
  readonly type: string | undefined;

  constructor(
    message: string,
    options: {
      refused: boolean;
      waitMs?: number | undefined;
      status?: number;
      type?: string;
      cause?: unknown;
    },
  ) {
    super(message, { cause: options.cause });
    this.name = 'AuthorityError';
    this.refused = options.refused;
    this.waitMs = options.waitMs;
    this.status = options.status;
    this.type = options.type;
  }
}

/** An order as in RFC 8555. */
export interface AuthorityOrder {
  readonly url: string;
  readonly status: 'pending' | 'ready' | 'processing' | 'valid' | 'invalid';
  readonly authorizations: readonly string[];
  readonly finalize: string;
  readonly certificate: string | undefined;
}

/** The content that must be reachable below a name, so that the authority accepts it. */
export interface Challenge {
  readonly url: string;
  /** File name. It comes from the authority and must be checked. */
  readonly token: string;
  readonly answer: string;
}

/** A certificate authority that speaks ACME. Every method throws AuthorityError. */
export interface Authority {
  createOrder(names: readonly string[]): Promise<AuthorityOrder>;
  /**
   * Returns undefined when the authority does not know the order any more. For a refused order, throws with the
   * authority's own message.
   */
  findOrder(url: string): Promise<AuthorityOrder | undefined>;
  /** The http-01 challenges that are still pending. */
  challenges(order: AuthorityOrder): Promise<Challenge[]>;
  /** Makes the authority check the challenge. */
  ready(challenge: Challenge): Promise<void>;
  finalize(order: AuthorityOrder, names: readonly string[], privateKeyPem: string): Promise<AuthorityOrder>;
  /** The certificate and its issuers, PEM. */
  chain(order: AuthorityOrder): Promise<string>;
}

/** The authority's refusal, in its own words, or the reason why it did not answer. */
export class AuthorityError extends Error {
  /** Whether the authority refused the request; false: it was unreachable or could not work. */
  readonly refused: boolean;
  /** The wait that the authority requested, ms. */
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

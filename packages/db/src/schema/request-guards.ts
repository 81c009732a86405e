/** Hits of one caller in the window that began with its first one; shared by all instances. */
export interface RateLimitsTable {
  /** `user:12`, `health:192.0.2.1`, ... */
  bucket: string;
  hits: number;
  /** Milliseconds since 1970, by the database's clock. */
  resets_at: number;
}

/** Tries to sign in that failed, by name, whether or not a user has it. */
export interface SignInFailuresTable {
  username: string;
  kind: SignInFailureKind;
  address: string;
  tries: number;
  first_at: Date;
  last_at: Date;
}

/** A wrong password; a wrong code after the right one. */
export type SignInFailureKind = 'password' | 'code';

/** A write that came with an Idempotency-Key. */
export interface IdempotencyKeysTable {
  token_id: number;
  key_hash: Buffer;
  /** Id of the request that holds the key. */
  claimed_by: string;
  /** Until then the holder is taken to be at work, unless there is an answer. */
  leased_until: Date;
  /** Sealed hash of method, path and fields. */
  request: string;
  /** Sealed: what the write gave, noted with it; null before, and once there is an answer. */
  written: string | null;
  /** Of the answer; null while there is none. */
  status: number | null;
  /** Sealed. */
  body: string | null;
  created_at: Date;
  expires_at: Date;
}

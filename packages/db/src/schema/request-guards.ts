/** Hits of one caller in its window, which starts at the first hit. Shared by all instances. */
export interface RateLimitsTable {
  /** `user:12`, `health:192.0.2.1`, ... */
  bucket: string;
  hits: number;
  /** Milliseconds since 1970, by the database's clock. */
  resets_at: number;
}

/** Failed sign-in attempts by username, existing or not. */
export interface SignInFailuresTable {
  username: string;
  kind: SignInFailureKind;
  address: string;
  tries: number;
  first_at: Date;
  last_at: Date;
}

/** A wrong password, or a wrong code after the right password. */
export type SignInFailureKind = 'password' | 'code';

/** A write with an Idempotency-Key. */
export interface IdempotencyKeysTable {
  token_id: number;
  key_hash: Buffer;
  /** Id of the request that holds the key. */
  claimed_by: string;
  /** End of the holder's lease, unless there is a response. */
  leased_until: Date;
  /** Sealed hash of method, path and fields. */
  request: string;
  /** Sealed result of the write, stored with it. Null before the write, and once there is a response. */
  written: string | null;
  /** HTTP status of the response. Null while there is none. */
  status: number | null;
  /** Sealed. */
  body: string | null;
  created_at: Date;
  expires_at: Date;
}

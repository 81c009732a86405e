/** Hits of one caller in the window that began with its first one; shared by all instances. */
export interface RateLimitsTable {
  /** `user:12`, `health:192.0.2.1`, ... */
  bucket: string;
  hits: number;
  /** Milliseconds since 1970, by the database's clock. */
  resets_at: number;
}

/** A write that came with an Idempotency-Key. */
export interface IdempotencyKeysTable {
  token_id: number;
  key_hash: Buffer;
  /** Of method, path and body. */
  request_hash: Buffer;
  /** Null while it is in flight. */
  status: number | null;
  body: string | null;
  created_at: Date;
  expires_at: Date;
}

import { createHash } from 'node:crypto';
import { DOMAIN_NAME_PATTERN } from '@innkeeper/domain';
import { z } from 'zod';

/**
 * The agent's knowledge of one domain's certificates, which survives restarts. Times are in ms since 1970 unless
 * another unit is given.
 */
const revision = z.int().min(1);
const names = z.array(z.string().regex(DOMAIN_NAME_PATTERN)).min(1).max(2);
const time = z.int().min(0);

const heldSchema = z.strictObject({
  /** Name of its files; never reused. */
  key: z.string().regex(/^\d+-\d+-[a-z0-9]+$/),
  revision,
  names,
  issuer: z.string().max(255),
  /** SHA-256, in the format of X509Certificate. */
  fingerprint: z.string().regex(/^[0-9A-F]{2}(?::[0-9A-F]{2}){31}$/),
  not_before: time,
  not_after: time,
  /** `issued`: the agent has it; `placed`: nginx may use it; `served`: it was seen over TLS. */
  stage: z.enum(['issued', 'placed', 'served']),
});

export const certificateRecordSchema = z.strictObject({
  uid: z.int().min(0),
  domain_id: z.int().min(1),
  name: z.string().regex(DOMAIN_NAME_PATTERN),
  /** Oldest first. */
  held: z.array(heldSchema),
  /** The current order, which has not ended. */
  order: z
    .strictObject({
      revision,
      names,
      /** URL at the authority. */
      url: z.url(),
      private_key: z.string(),
    })
    .nullable(),
  /**
   * Number of attempts in a row that started and did not end: an attempt that crashes the process must not repeat for
   * ever.
   */
  begun: z.int().min(0),
  begun_at: time,
  /** When a wait after a failure was last cut short by a new request. */
  skipped_at: time.default(0),
  failure: z
    .strictObject({
      revision,
      error: z.string(),
      in_a_row: z.int().min(1),
      retry_at: time,
      /** The authority requested the wait, so a new request must wait, too. */
      must_wait: z.boolean(),
      /** The authority refused the order, and counts the refusal. */
      refused: z.boolean().default(false),
    })
    .nullable(),
});

export type CertificateRecord = z.infer<typeof certificateRecordSchema>;
export type Held = z.infer<typeof heldSchema>;
export type OrderRecord = NonNullable<CertificateRecord['order']>;

export function recordName({ uid, domain_id }: Pick<CertificateRecord, 'uid' | 'domain_id'>): string {
  return `${uid}-${domain_id}`;
}

const RENEWED_AFTER = 2 / 3;
/** Renewals of certificates that were issued together spread over three of ninety days. */
const SPREAD = 1 / 30;

/** Returns when to renew a certificate, ms since 1970. The result is the same for every call. */
export function renewalTime({ key, not_before, not_after }: Held): number {
  const spread = createHash('sha256').update(key).digest().readUInt32BE() / 2 ** 32;
  return Math.round(not_before + (not_after - not_before) * (RENEWED_AFTER + SPREAD * spread));
}

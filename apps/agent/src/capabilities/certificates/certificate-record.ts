import { createHash } from 'node:crypto';
import { DOMAIN_NAME_PATTERN } from '@innkeeper/domain';
import { z } from 'zod';

/** What the agent knows of one domain's certificates, over its restarts. Times in ms since 1970 where nothing else is said. */
const revision = z.int().min(1);
const names = z.array(z.string().regex(DOMAIN_NAME_PATTERN)).min(1).max(2);
const time = z.int().min(0);

const heldSchema = z.strictObject({
  /** Name of its files; never used again. */
  key: z.string().regex(/^\d+-\d+-[a-z0-9]+$/),
  revision,
  names,
  issuer: z.string().max(255),
  /** SHA-256, as X509Certificate spells it. */
  fingerprint: z.string().regex(/^[0-9A-F]{2}(?::[0-9A-F]{2}){31}$/),
  not_before: time,
  not_after: time,
  /** `issued`: it is here; `placed`: nginx may be told of it; `served`: it was seen over TLS. */
  stage: z.enum(['issued', 'placed', 'served']),
});

export const certificateRecordSchema = z.strictObject({
  uid: z.int().min(0),
  domain_id: z.int().min(1),
  name: z.string().regex(DOMAIN_NAME_PATTERN),
  /** Oldest first. */
  held: z.array(heldSchema),
  /** What was asked for and has not ended. */
  order: z
    .strictObject({
      revision,
      names,
      /** At the authority. */
      url: z.url(),
      private_key: z.string(),
    })
    .nullable(),
  /** How often in a row the work was begun without coming to an end: a process that dies of it must not repeat it for ever. */
  begun: z.int().min(0),
  begun_at: time,
  /** When a wait after a failure was last cut short because somebody asked again. */
  skipped_at: time.default(0),
  failure: z
    .strictObject({
      revision,
      error: z.string(),
      in_a_row: z.int().min(1),
      retry_at: time,
      /** The authority asked for it: whoever asks again has to wait too. */
      must_wait: z.boolean(),
      /** The authority decided against it, and counts that. */
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
/** What was issued together is not renewed together: over three days, of ninety. */
const SPREAD = 1 / 30;

/** When a certificate is to be renewed, ms since 1970: the same whenever it is asked. */
export function renewalTime({ key, not_before, not_after }: Held): number {
  const spread = createHash('sha256').update(key).digest().readUInt32BE() / 2 ** 32;
  return Math.round(not_before + (not_after - not_before) * (RENEWED_AFTER + SPREAD * spread));
}

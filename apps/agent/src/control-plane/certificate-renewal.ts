import { certificateSpan, type NodeIdentity } from '@innkeeper/protocol/client';
import type { Log } from '../node/log.ts';

const MINUTE_MS = 60_000;
/** The longest timer: an adjusted clock, or a machine that slept, is noticed within this time. */
const LONGEST_SLEEP_MS = 60 * MINUTE_MS;

export interface CertificateRenewalDeps {
  identity: () => NodeIdentity;
  /** Fetches, stores and activates a new identity. */
  renew: () => Promise<void>;
  log: Log;
}

/**
 * Renews the certificate after two thirds of its lifetime. Up to one twentieth of the lifetime is added as jitter, so
 * that the nodes of a fleet do not renew at once. After a failure it retries after one minute, then with a growing
 * backoff of up to ten minutes. Returns a function that stops it.
 */
export function startCertificateRenewal({ identity, renew, log }: CertificateRenewalDeps): () => void {
  const spread = Math.random() / 20;
  let timer: NodeJS.Timeout;
  let ended = false;
  let failures = 0;

  const sleep = (delayMs: number): void => {
    if (!ended) timer = setTimeout(() => void check(), Math.min(delayMs, LONGEST_SLEEP_MS));
  };
  const dueInMs = (): number => {
    const { from, to } = certificateSpan(identity());
    const lifeMs = to.getTime() - from.getTime();
    return from.getTime() + lifeMs * (2 / 3 + spread) - Date.now();
  };
  const check = async (): Promise<void> => {
    const delayMs = dueInMs();
    if (delayMs > 0) return sleep(delayMs);
    try {
      await renew();
      failures = 0;
      log.info({ expires_at: certificateSpan(identity()).to }, 'The certificate of this node was renewed.');
      sleep(Math.max(MINUTE_MS, dueInMs()));
    } catch (error) {
      if (ended) return;
      failures += 1;
      const { to } = certificateSpan(identity());
      if (to.getTime() < Date.now())
        log.error(
          { err: error },
          'The certificate of this node has expired. Create a join token with innctl node join-token and enrol the node again.',
        );
      else
        log.warn(
          { err: error, expires_at: to },
          'The renewal of this node’s certificate failed. The agent will retry.',
        );
      sleep(Math.min(10, failures) * MINUTE_MS);
    }
  };
  sleep(Math.max(0, dueInMs()));
  return () => {
    ended = true;
    clearTimeout(timer);
  };
}

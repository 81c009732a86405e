import type { NodeIdentity } from '@innkeeper/protocol/client';
import {
  createCertificateAuthority,
  generatePrivateKeyPem,
  loadCertificateAuthority,
  makeCsr,
  signNodeCertificate,
} from '@innkeeper/protocol/identity';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { startCertificateRenewal } from './certificate-renewal.ts';

const HOUR_MS = 3_600_000;
const start = new Date('2026-06-01T00:00:00Z');

beforeEach(() => void vi.useFakeTimers({ now: start, toFake: ['setTimeout', 'clearTimeout', 'Date'] }));
afterEach(() => void vi.useRealTimers());

async function identityFrom(now: Date): Promise<NodeIdentity> {
  const made = await createCertificateAuthority(now);
  const authority = loadCertificateAuthority(made.certificatePem, made.keyPem);
  const csrPem = await makeCsr(generatePrivateKeyPem());
  const { certificatePem } = await signNodeCertificate(authority, { csrPem, nodeId: 1, now });
  return { certificate_pem: certificatePem } as NodeIdentity;
}

function rig(first: NodeIdentity, renewed: NodeIdentity | undefined) {
  let identity = first;
  const log = { debug: vi.fn(), info: vi.fn(), warn: vi.fn(), error: vi.fn(), fatal: vi.fn() };
  const renewedAtHours: number[] = [];
  const stop = startCertificateRenewal({
    identity: () => identity,
    renew: async () => {
      renewedAtHours.push((Date.now() - start.getTime()) / HOUR_MS);
      if (renewed === undefined) throw new Error('not now');
      identity = renewed;
    },
    log,
  });
  return { stop, log, renewedAtHours };
}

it('renews once after two thirds of the lifetime', async () => {
  const { stop, renewedAtHours } = rig(
    await identityFrom(start),
    await identityFrom(new Date(start.getTime() + 16 * HOUR_MS)),
  );
  await vi.advanceTimersByTimeAsync(15.9 * HOUR_MS);
  expect(renewedAtHours).toEqual([]);
  await vi.advanceTimersByTimeAsync(1.5 * HOUR_MS);
  expect(renewedAtHours).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(13 * HOUR_MS);
  expect(renewedAtHours).toHaveLength(1);
  stop();
});

it('retries after a failure with growing delays, at least every ten minutes', async () => {
  const { stop, renewedAtHours, log } = rig(await identityFrom(start), undefined);
  await vi.advanceTimersByTimeAsync(20 * HOUR_MS);
  const pauses = renewedAtHours.slice(1).map((at, index) => Math.round((at - renewedAtHours[index]!) * 60));
  expect(pauses.slice(0, 11)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 10]);
  expect(log.warn).toHaveBeenCalled();
  expect(log.error).not.toHaveBeenCalled();
  stop();
});

it('tells the operator what to do after the certificate has expired', async () => {
  const { stop, log } = rig(await identityFrom(start), undefined);
  await vi.advanceTimersByTimeAsync(25 * HOUR_MS);
  expect(log.error.mock.lastCall?.[1]).toContain('innctl node join-token');
  stop();
});

it('notices within an hour that the machine slept through the time', async () => {
  const { stop, renewedAtHours } = rig(await identityFrom(start), undefined);
  await vi.advanceTimersByTimeAsync(HOUR_MS);
  vi.setSystemTime(new Date(start.getTime() + 20 * HOUR_MS));
  await vi.advanceTimersByTimeAsync(HOUR_MS);
  expect(renewedAtHours.length).toBeGreaterThan(0);
  stop();
});

it('does nothing after a stop', async () => {
  const { stop, renewedAtHours } = rig(await identityFrom(start), undefined);
  stop();
  await vi.advanceTimersByTimeAsync(30 * HOUR_MS);
  expect(renewedAtHours).toEqual([]);
});

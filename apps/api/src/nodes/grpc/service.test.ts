import { X509Certificate } from 'node:crypto';
import { status } from '@grpc/grpc-js';
import {
  createCertificateAuthority,
  generatePrivateKeyPem,
  loadCertificateAuthority,
  makeCsr,
  signNodeCertificate,
} from '@innkeeper/protocol/identity';
import { afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import type { NodeServiceDeps } from './method.ts';
import { createNodeService } from './service.ts';

const log = { debug: vi.fn(), info: vi.fn(), warn: vi.fn(), error: vi.fn() };
let authority: NodeServiceDeps['keys']['authority'];
let certificate: Buffer;
beforeAll(async () => {
  const made = await createCertificateAuthority();
  authority = loadCertificateAuthority(made.certificatePem, made.keyPem);
  const csrPem = await makeCsr(generatePrivateKeyPem());
  const { certificatePem } = await signNodeCertificate(authority, { csrPem, nodeId: 3 });
  certificate = new X509Certificate(certificatePem).raw;
});
beforeEach(() => void vi.clearAllMocks());
afterEach(() => void vi.useRealTimers());

/** Returns the answer to a node's heartbeat when every database statement ends in the given way. */
function heartbeat(
  statementEnds: () => Promise<unknown>,
  getAuthContext: () => unknown = () => ({ sslPeerCertificate: { raw: certificate } }),
): Promise<unknown> {
  const statement: unknown = new Proxy(() => {}, {
    get: (_, name) => {
      if (name === 'compile') return () => ({ sql: '', parameters: [] });
      return String(name).startsWith('execute') ? statementEnds : () => statement;
    },
  });
  const { Heartbeat } = createNodeService({
    db: statement as NodeServiceDeps['db'],
    keys: { authority, natsSigner: { accountPublicKey: '', signingSeed: '' } },
    sealer: { seal: String, open: String },
    natsUrl: null,
    intervals: { heartbeat_interval_ms: 1, poll_interval_ms: 1 },
    onObserved: () => {},
    wakeNode: () => {},
    channels: {
      claim: () => {
        throw new Error('no channel is asked for here');
      },
    },
    onIdentityEnded: () => {},
    log,
  });
  const request = {
    session_id: 's'.repeat(24),
    accounts: 1,
    accounts_failed: 0,
    warnings: [],
    figures: {},
    settings_generation: '0',
    settings_problem: '',
  };
  const call = { request, getPeer: () => '10.0.0.1:1', getAuthContext };
  return new Promise((resolve) => {
    (Heartbeat as (call: unknown, answer: (error: unknown, response?: unknown) => void) => void)(
      call,
      (error, response) => resolve(error ?? response),
    );
  });
}

it('it answers a call, and logs the caller and the duration', async () => {
  expect(
    await heartbeat(async () => ({
      numUpdatedRows: 1n,
      rows: [{ identity_epoch: 0, certificate_used: 0 }],
    })),
  ).toEqual({});
  expect(log.debug.mock.lastCall?.[0]).toMatchObject({ method: 'Heartbeat', node_id: 3, peer: '10.0.0.1:1' });
});

it('a call that takes too long gets a retryable answer', async () => {
  vi.useFakeTimers();
  const answer = heartbeat(() => new Promise(() => {}));
  await vi.advanceTimersByTimeAsync(30_000);
  expect(await answer).toEqual({ code: status.UNAVAILABLE, details: 'No answer within 30000 ms.' });
});

it('it logs an unexpected error with its causes, and answers no details', async () => {
  const defect = new TypeError('hush');
  expect(await heartbeat(() => Promise.reject(defect))).toEqual({
    code: status.INTERNAL,
    details: 'Internal error.',
  });
  expect(log.error.mock.lastCall?.[0]).toMatchObject({ err: defect, status: 'INTERNAL', node_id: 3 });
});

it('a caller that disconnects is treated as one without a certificate, not as an unexpected error', async () => {
  const gone = () => {
    throw new TypeError('the socket is gone');
  };
  expect(await heartbeat(async () => ({}), gone)).toMatchObject({ code: status.UNAUTHENTICATED });
  expect(log.error).not.toHaveBeenCalled();
});

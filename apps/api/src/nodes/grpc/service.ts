import {
  type ServerDuplexStream,
  type ServerUnaryCall,
  type ServerWritableStream,
  type sendUnaryData,
  status,
  type UntypedHandleCall,
} from '@grpc/grpc-js';
import { DomainError } from '@innkeeper/domain';
import { createVerifyPeer, type NodePeer, type VerifyPeer } from '@innkeeper/protocol/identity';
import {
  Channel,
  type ChannelFrame,
  type NodeChannel,
  type NodeChunk,
  type NodeMethod,
  type NodeRequest,
  type NodeResponse,
  type NodeStream,
} from '@innkeeper/protocol/wire';
import { createRequireIdentity, createStoreReport, type RequireIdentity } from '@innkeeper/services';
import { createEnrollAttempts } from '../enroll-attempts.ts';
import { enroll } from './enroll.ts';
import { fetchArchive } from './fetch-archive.ts';
import { heartbeat } from './heartbeat.ts';
import { hello } from './hello.ts';
import type { NodeMethodHandler, NodeServiceDeps, NodeStreamHandler } from './method.ts';
import { parseOpening } from './open-channel.ts';
import { pullAccounts } from './pull-accounts.ts';
import { renewCertificate } from './renew-certificate.ts';
import { reportAccount } from './report-account.ts';
import { reportUsage } from './report-usage.ts';
import { type CallFailure, callFailureOf } from './status.ts';
import { writeStream } from './write-stream.ts';

/** Timeout of a call. Agents retry. */
const LONGEST_CALL_MS = 30_000;
/** Timeout of a whole stream. */
const LONGEST_STREAM_MS = 30 * 60_000;
/** Methods that every node calls all the time. */
const quietMethods: ReadonlySet<string> = new Set(['Heartbeat', 'PullAccounts', 'ReportUsage']);

type Call<M extends NodeMethod> = ServerUnaryCall<NodeRequest<M>, NodeResponse<M>>;

/**
 * TLS requests a client certificate but also admits connections without one, because Enroll needs that. So this table
 * is the gate: every method except Enroll requires a certificate that the CA signed, that is valid now, names a node,
 * and is of the node's newest identity. The service never trusts what a message says about its sender.
 */
export function createNodeService(
  deps: NodeServiceDeps,
): Record<NodeMethod | NodeStream | NodeChannel, UntypedHandleCall> {
  const attempts = createEnrollAttempts();
  const gate: Gate = {
    ...deps,
    verifyPeer: createVerifyPeer(deps.keys.authority),
    requireIdentity: createRequireIdentity(deps.db),
  };
  return {
    Enroll: unary(deps, 'Enroll', (call) =>
      attempts.run(call.getPeer(), () => enroll(deps, call.request, call.getPeer())),
    ),
    RenewCertificate: authenticated(gate, 'RenewCertificate', renewCertificate),
    Hello: authenticated(gate, 'Hello', hello),
    Heartbeat: authenticated(gate, 'Heartbeat', heartbeat),
    PullAccounts: authenticated(gate, 'PullAccounts', pullAccounts),
    ReportAccount: authenticated(gate, 'ReportAccount', reportAccount(createStoreReport(deps.db))),
    ReportUsage: authenticated(gate, 'ReportUsage', reportUsage),
    FetchArchive: streaming(gate, 'FetchArchive', fetchArchive),
    OpenChannel: channel(gate, 'OpenChannel'),
  };
}

interface Gate extends NodeServiceDeps {
  verifyPeer: VerifyPeer;
  requireIdentity: RequireIdentity;
}

function authenticated<M extends NodeMethod>(
  deps: Gate,
  method: M,
  handler: NodeMethodHandler<M>,
): UntypedHandleCall {
  return unary(deps, method, async (call: Call<M>, caller) => {
    const { nodeId, issue } = await verifiedNode(deps, call, caller);
    return handler(deps, nodeId, call.request, issue);
  });
}

/** Returns the calling node. Throws DomainError `unauthenticated`. */
async function verifiedNode(deps: Gate, call: PeerCall, caller: Caller): Promise<NodePeer> {
  const verdict = deps.verifyPeer(certificateOf(call));
  if ('refusal' in verdict) throw new DomainError('unauthenticated', `Refused: ${verdict.refusal}.`);
  caller.node_id = verdict.nodeId;
  await deps.requireIdentity({ node_id: verdict.nodeId, issue: verdict.issue });
  return verdict;
}

/** Runs a method that answers with a stream, as `unary` does for the others. */
function streaming<M extends NodeStream>(
  deps: Gate,
  method: M,
  handler: NodeStreamHandler<M>,
): UntypedHandleCall {
  return (call: ServerWritableStream<NodeRequest<M>, NodeChunk<M>>) => {
    const caller: Caller = {};
    const log = callLog(deps, method, call, caller);
    const run = async () => {
      const { nodeId } = await verifiedNode(deps, call, caller);
      const signal = AbortSignal.timeout(LONGEST_STREAM_MS);
      await writeStream(call, handler(deps, nodeId, call.request), signal);
    };
    run().then(
      () => {
        log.answered();
        call.end();
      },
      (error: unknown) => {
        const { code, details } = log.failed(error);
        call.emit('error', { code, details });
      },
    );
  };
}

/** Timeout for the first frame of a channel. */
const OPENING_MS = 10_000;

/**
 * Gives a channel to the part of this process that asked for it. Its first frame, checked here, proves that the node was
 * asked. The log line is written when the channel is open, and again if it fails.
 */
function channel(deps: Gate, method: NodeChannel): UntypedHandleCall {
  return (call: ServerDuplexStream<ChannelFrame, ChannelFrame>) => {
    const caller: Caller = {};
    const log = callLog(deps, method, call, caller);
    const refuse = (error: unknown) => {
      const { code, details } = log.failed(error);
      call.emit('error', { code, details });
    };
    const run = async () => {
      const { nodeId } = await verifiedNode(deps, call, caller);
      const { opening } = await firstFrame(call);
      const take = deps.channels.claim(nodeId, parseOpening(opening));
      // grpc-js sends a status of an ended call only once.
      take(new Channel(call, () => call.emit('error', { code: status.CANCELLED, details: 'Closed.' })));
      log.answered();
    };
    run().catch(refuse);
  };
}

function firstFrame(call: ServerDuplexStream<ChannelFrame, ChannelFrame>): Promise<ChannelFrame> {
  const { promise, resolve, reject } = Promise.withResolvers<ChannelFrame>();
  const timer = setTimeout(
    () => reject(new DomainError('unavailable', `No opening within ${OPENING_MS} ms.`)),
    OPENING_MS,
  );
  call.once('data', (frame: ChannelFrame) => {
    call.pause();
    resolve(frame);
  });
  for (const event of ['end', 'cancelled', 'error'] as const)
    call.once(event, () => reject(new DomainError('unavailable', 'The call ended before its opening.')));
  return promise.finally(() => clearTimeout(timer));
}

type PeerCall = Pick<ServerUnaryCall<unknown, unknown>, 'getAuthContext'>;

function certificateOf(call: PeerCall): Buffer | undefined {
  try {
    return call.getAuthContext().sslPeerCertificate?.raw;
  } catch {
    // grpc-js reads the socket, which is gone after the peer has disconnected.
    return undefined;
  }
}

interface Caller {
  node_id?: number;
}

/** Runs a method within its timeout, maps its failure by the table, and logs one line. */
function unary<M extends NodeMethod>(
  deps: NodeServiceDeps,
  method: M,
  run: (call: Call<M>, caller: Caller) => Promise<NodeResponse<M>>,
): UntypedHandleCall {
  return (call: Call<M>, answer: sendUnaryData<NodeResponse<M>>) => {
    const caller: Caller = {};
    const log = callLog(deps, method, call, caller);
    withinTime(() => run(call, caller)).then(
      (response) => {
        log.answered();
        answer(null, response);
      },
      (error: unknown) => {
        const { code, details } = log.failed(error);
        answer({ code, details });
      },
    );
  };
}

/** Returns the function that logs the one line of a call. */
function callLog(
  { log }: NodeServiceDeps,
  method: NodeMethod | NodeStream | NodeChannel,
  call: { getPeer(): string },
  caller: Caller,
): { answered(): void; failed(error: unknown): CallFailure } {
  const startedAt = performance.now();
  const line = () => ({
    method,
    ...caller,
    peer: call.getPeer(),
    ms: Math.round(performance.now() - startedAt),
  });
  return {
    answered: () => log[quietMethods.has(method) ? 'debug' : 'info'](line(), 'A node called.'),
    failed: (error) => {
      const failure = callFailureOf(error);
      const { code, details, isDefect } = failure;
      const failed = { ...line(), status: status[code], details, ...(isDefect ? { err: error } : {}) };
      log[isDefect ? 'error' : 'warn'](failed, 'A call of a node failed.');
      return failure;
    },
  };
}

async function withinTime<T>(run: () => Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new DomainError('unavailable', `No answer within ${LONGEST_CALL_MS} ms.`)),
      LONGEST_CALL_MS,
    );
  });
  try {
    return await Promise.race([run(), late]);
  } finally {
    clearTimeout(timer);
  }
}

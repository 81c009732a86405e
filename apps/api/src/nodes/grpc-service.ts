import { type ServerUnaryCall, type sendUnaryData, status, type UntypedHandleCall } from '@grpc/grpc-js';
import { DomainError } from '@innkeeper/domain';
import { verifyPeer } from '@innkeeper/protocol/identity';
import type { NodeMethod, NodeRequest, NodeResponse } from '@innkeeper/protocol/wire';
import { enroll } from './grpc-enroll.ts';
import { heartbeat } from './grpc-heartbeat.ts';
import { hello } from './grpc-hello.ts';
import type { NodeMethodHandler, NodeServiceDeps } from './grpc-method.ts';
import { pullAccounts } from './grpc-pull-accounts.ts';
import { renewCertificate } from './grpc-renew-certificate.ts';
import { reportAccount } from './grpc-report-account.ts';
import { callFailureOf } from './grpc-status.ts';

/** No call takes longer; agents ask again. */
const LONGEST_CALL_MS = 30_000;
/** Methods that every node calls all the time. */
const quietMethods: ReadonlySet<NodeMethod> = new Set(['Heartbeat', 'PullAccounts']);

type Call<M extends NodeMethod> = ServerUnaryCall<NodeRequest<M>, NodeResponse<M>>;

/**
 * TLS asks for a client certificate and lets a connection without one through, because Enroll needs it. So
 * this table is the gate: every method but Enroll is reached only with a certificate of the CA that is valid
 * now and names a node. What a message says of its sender is never asked.
 */
export function createNodeService(deps: NodeServiceDeps): Record<NodeMethod, UntypedHandleCall> {
  return {
    Enroll: unary(deps, 'Enroll', (call) => enroll(deps, call.request, call.getPeer())),
    RenewCertificate: authenticated(deps, 'RenewCertificate', renewCertificate),
    Hello: authenticated(deps, 'Hello', hello),
    Heartbeat: authenticated(deps, 'Heartbeat', heartbeat),
    PullAccounts: authenticated(deps, 'PullAccounts', pullAccounts),
    ReportAccount: authenticated(deps, 'ReportAccount', reportAccount),
  };
}

function authenticated<M extends NodeMethod>(
  deps: NodeServiceDeps,
  method: M,
  handler: NodeMethodHandler<M>,
): UntypedHandleCall {
  return unary(deps, method, async (call: Call<M>, caller) => {
    const verdict = verifyPeer(certificateOf(call), deps.keys.authority);
    if ('refusal' in verdict) throw new DomainError('unauthenticated', `Refused: ${verdict.refusal}.`);
    caller.node_id = verdict.nodeId;
    return handler(deps, verdict.nodeId, call.request);
  });
}

function certificateOf(call: Pick<ServerUnaryCall<unknown, unknown>, 'getAuthContext'>): Buffer | undefined {
  try {
    return call.getAuthContext().sslPeerCertificate?.raw;
  } catch {
    // grpc-js asks the socket, which is gone when the peer hung up.
    return undefined;
  }
}

interface Caller {
  node_id?: number;
}

/** Runs a method within the time limit, answers its failure by the table, and logs one line. */
function unary<M extends NodeMethod>(
  deps: NodeServiceDeps,
  method: M,
  run: (call: Call<M>, caller: Caller) => Promise<NodeResponse<M>>,
): UntypedHandleCall {
  return (call: Call<M>, answer: sendUnaryData<NodeResponse<M>>) => {
    const caller: Caller = {};
    const startedAt = performance.now();
    const line = () => ({
      method,
      ...caller,
      peer: call.getPeer(),
      ms: Math.round(performance.now() - startedAt),
    });
    withinTime(() => run(call, caller)).then(
      (response) => {
        deps.log[quietMethods.has(method) ? 'debug' : 'info'](line(), 'A node called.');
        answer(null, response);
      },
      (error: unknown) => {
        const { code, details, isDefect } = callFailureOf(error);
        const failed = { ...line(), status: status[code], details, ...(isDefect ? { err: error } : {}) };
        deps.log[isDefect ? 'error' : 'warn'](failed, 'A call of a node failed.');
        answer({ code, details });
      },
    );
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

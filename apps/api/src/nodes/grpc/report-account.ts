import { accountReportSchema } from '@innkeeper/protocol';
import { decodeAccountReport } from '@innkeeper/protocol/wire';
import type { StoreReport } from '@innkeeper/services';
import type { NodeMethodHandler } from './method.ts';
import { parseFromNode, sessionOf } from './parse.ts';

export const reportAccount =
  (storeReport: StoreReport): NodeMethodHandler<'ReportAccount'> =>
  async (deps, nodeId, request) => {
    const session_id = sessionOf(request);
    const report = parseFromNode(accountReportSchema, decodeAccountReport(request));
    const now = new Date();
    const { observed, wake } = await storeReport({ node_id: nodeId, session_id, report, now });
    if (observed !== undefined) deps.onObserved(observed);
    if (wake !== undefined) deps.wakeNode(nodeId, wake.account_id, wake.generation);
    return {};
  };

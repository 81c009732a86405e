import { usageReportSchema } from '@innkeeper/protocol';
import { decodeUsageReport } from '@innkeeper/protocol/wire';
import { storeUsage } from '@innkeeper/services';
import type { NodeMethodHandler } from './method.ts';
import { parseFromNode, sessionOf } from './parse.ts';

export const reportUsage: NodeMethodHandler<'ReportUsage'> = async ({ db }, nodeId, request) => {
  await storeUsage(db, {
    node_id: nodeId,
    session_id: sessionOf(request),
    report: parseFromNode(usageReportSchema, decodeUsageReport(request)),
    now: new Date(),
  });
  return {};
};

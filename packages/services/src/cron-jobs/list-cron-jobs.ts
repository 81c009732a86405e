import type { CronJobListItem } from '@innkeeper/contract';
import { findCronJobPage } from '@innkeeper/db';
import type { ServiceContext } from '../context.ts';
import { listRecords, type RecordListRequest } from '../list-records.ts';
import type { Page } from '../page.ts';
import { cronJobListItem } from './cron-job-view.ts';

/** The cron jobs that the actor sees. Throws like `listRecords`. */
export async function listCronJobs(
  ctx: ServiceContext,
  request: RecordListRequest,
): Promise<Page<CronJobListItem>> {
  return await listRecords(ctx, request, findCronJobPage, cronJobListItem);
}

import type { AppListItem } from '@innkeeper/contract';
import { findAppPage } from '@innkeeper/db';
import type { AppStatus } from '@innkeeper/domain';
import type { ServiceContext } from '../context.ts';
import { listRecords, type RecordListRequest } from '../list-records.ts';
import type { Page } from '../page.ts';
import { appListItem } from './app-view.ts';

export interface AppListRequest extends RecordListRequest {
  status?: AppStatus | undefined;
}

/** The apps that the actor sees, with one status if given. Throws like `listRecords`. */
export async function listApps(ctx: ServiceContext, request: AppListRequest): Promise<Page<AppListItem>> {
  return await listRecords(ctx, request, findAppPage, (row) => appListItem(ctx.appTemplates, row));
}

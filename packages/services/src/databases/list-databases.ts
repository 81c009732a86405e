import type { DatabaseListItem } from '@innkeeper/contract';
import { findDatabasePage } from '@innkeeper/db';
import type { ServiceContext } from '../context.ts';
import { listRecords, type RecordListRequest } from '../list-records.ts';
import type { Page } from '../page.ts';
import { databaseListItem } from './database-view.ts';

/** The databases that the actor sees. Throws like `listRecords`. */
export async function listDatabases(
  ctx: ServiceContext,
  request: RecordListRequest,
): Promise<Page<DatabaseListItem>> {
  return await listRecords(ctx, request, findDatabasePage, databaseListItem);
}

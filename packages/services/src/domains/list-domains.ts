import type { DomainListItem } from '@innkeeper/contract';
import { findDomainPage } from '@innkeeper/db';
import type { ServiceContext } from '../context.ts';
import { listRecords, type RecordListRequest } from '../list-records.ts';
import type { Page } from '../page.ts';
import { domainListItem } from './domain-view.ts';

/** The domains that the actor sees. Throws like `listRecords`. */
export async function listDomains(
  ctx: ServiceContext,
  request: RecordListRequest,
): Promise<Page<DomainListItem>> {
  return await listRecords(ctx, request, findDomainPage, domainListItem);
}

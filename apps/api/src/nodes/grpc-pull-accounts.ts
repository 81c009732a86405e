import type { AccountSpec } from '@innkeeper/protocol';
import { encodeAccountSpec, integerFromWire, MAX_MESSAGE_BYTES } from '@innkeeper/protocol/wire';
import { pullAccounts as readAccounts } from '@innkeeper/services';
import { z } from 'zod';
import type { NodeMethodHandler } from './grpc-method.ts';
import { parseFromNode, sessionOf } from './grpc-parse.ts';

const pageSchema = z.object({ after_account_id: z.int().min(0), limit: z.int().min(1).max(500) });

/** Bytes on the wire at most: names are limited to 253 characters, everything else is short. */
const ACCOUNT_BYTES = 512;
const DOMAIN_BYTES = 300;
const PAGE_BYTES = MAX_MESSAGE_BYTES / 2;

export const pullAccounts: NodeMethodHandler<'PullAccounts'> = async ({ db }, nodeId, request) => {
  const session_id = sessionOf(request);
  const { after_account_id, limit } = parseFromNode(pageSchema, {
    after_account_id: integerFromWire(request.after_account_id),
    limit: request.limit,
  });
  const page = await readAccounts(db, { node_id: nodeId, session_id, after_account_id, limit });
  const accounts = fittingAccounts(page.accounts);
  return {
    accounts: accounts.map(encodeAccountSpec),
    has_more: page.has_more || accounts.length < page.accounts.length,
  };
};

/** The first accounts of a page that fit into one message; always one. */
export function fittingAccounts(accounts: readonly AccountSpec[]): readonly AccountSpec[] {
  let bytes = 0;
  const count = accounts.findIndex((account, index) => {
    bytes += ACCOUNT_BYTES + account.domains.length * DOMAIN_BYTES;
    return index > 0 && bytes > PAGE_BYTES;
  });
  return count === -1 ? accounts : accounts.slice(0, count);
}

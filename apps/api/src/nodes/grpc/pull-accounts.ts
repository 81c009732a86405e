import type { AccountSpec } from '@innkeeper/protocol';
import {
  encodeAccountSpec,
  encodeNodeSettings,
  integerFromWire,
  MAX_MESSAGE_BYTES,
} from '@innkeeper/protocol/wire';
import { pullAccounts as readAccounts } from '@innkeeper/services';
import { z } from 'zod';
import type { NodeMethodHandler } from './method.ts';
import { parseFromNode, sessionOf } from './parse.ts';

const pageSchema = z.object({
  after_account_id: z.int().min(0),
  limit: z.int().min(1).max(500),
  settings_generation: z.int().min(0),
});

/** Maximum size on the wire, in bytes, without texts of variable length, which are counted. */
const ACCOUNT_BYTES = 512;
const DOMAIN_BYTES = 600;
const DATABASE_BYTES = 200;
const ADDRESS_BYTES = 50;
const JOB_BYTES = 300;
const APP_BYTES = 2_000;
const VARIABLE_BYTES = 20;
const PAGE_BYTES = MAX_MESSAGE_BYTES / 8;

export const pullAccounts: NodeMethodHandler<'PullAccounts'> = async ({ db, sealer }, nodeId, request) => {
  const session_id = sessionOf(request);
  const { after_account_id, limit, settings_generation } = parseFromNode(pageSchema, {
    after_account_id: integerFromWire(request.after_account_id),
    limit: request.limit,
    settings_generation: integerFromWire(request.settings_generation),
  });
  const page = await readAccounts(
    { db, sealer },
    { node_id: nodeId, session_id, after_account_id, limit, settings_generation },
  );
  const accounts = fittingAccounts(page.accounts);
  return {
    accounts: accounts.map(encodeAccountSpec),
    has_more: page.has_more || accounts.length < page.accounts.length,
    settings: page.settings && encodeNodeSettings(page.settings),
  };
};

/** Returns the first accounts of a page that fit into one message, at least one. */
export function fittingAccounts(accounts: readonly AccountSpec[]): readonly AccountSpec[] {
  let bytes = 0;
  const count = accounts.findIndex((account, index) => {
    bytes += sizeOf(account);
    return index > 0 && bytes > PAGE_BYTES;
  });
  return count === -1 ? accounts : accounts.slice(0, count);
}

function sizeOf({ domains, databases, cron_jobs, apps }: AccountSpec): number {
  const sum = <T>(items: readonly T[], size: (item: T) => number) =>
    items.reduce((bytes, item) => bytes + size(item), 0);
  return (
    ACCOUNT_BYTES +
    domains.length * DOMAIN_BYTES +
    sum(databases, ({ allowed_ips }) => DATABASE_BYTES + allowed_ips.length * ADDRESS_BYTES) +
    sum(cron_jobs, ({ command }) => JOB_BYTES + Buffer.byteLength(command)) +
    sum(
      apps,
      ({ env, start_command, release }) =>
        APP_BYTES +
        Buffer.byteLength(start_command) +
        Buffer.byteLength(release?.git_deploy_key ?? '') +
        sum(env, ({ name, value }) => VARIABLE_BYTES + name.length + Buffer.byteLength(value)),
    )
  );
}

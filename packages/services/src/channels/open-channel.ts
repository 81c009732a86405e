import type { Duplex } from 'node:stream';
import { getAccountNode } from '@innkeeper/db';
import { type Action, requireMay } from '@innkeeper/domain';
import type { ChannelKind, ChannelProgram } from '@innkeeper/protocol';
import { audit } from '../audit.ts';
import type { ServiceContext } from '../context.ts';
import { scopeOf } from '../scope.ts';
import { channelRefusals } from './channel-refusals.ts';

/** A channel to a program of an account: bytes in both directions. */
export interface NodeChannel extends Duplex {
  /** For a terminal. */
  resize(size: { columns: number; rows: number }): void;
}

/**
 * Opens a channel to a program on a node. Throws DomainError: `unavailable` if the node does not answer or does not open
 * it in time, `precondition_failed` for an account that is not active there, `forbidden` and `quota_exceeded`.
 */
export type OpenNodeChannel = (
  nodeId: number,
  wanted: { account_id: number; program: ChannelProgram },
) => Promise<NodeChannel>;

export interface ChannelContext extends ServiceContext {
  openNodeChannel: OpenNodeChannel;
}

/** Actions of the audit log. Null: the row of the opening says all. */
const actions = {
  files: { open: 'files.open', close: 'files.close' },
  terminal: { open: 'terminal.open', close: 'terminal.close' },
  'database-export': { open: 'database.export', close: null },
  'database-import': { open: 'database.import', close: null },
} as const satisfies Record<ChannelKind, { open: Action; close: Action | null }>;

/** What the audit log says of the channel, if it is about a record of the account. */
interface AuditedRecord {
  target: string;
  details: Readonly<Record<string, unknown>>;
}

/**
 * Opens a channel to a program that runs as the account on its server. The audit log has a row when it is open, and one
 * with its duration when it has closed. Throws `not_found`, `forbidden`, `precondition_failed` for an account that is not
 * active, and what `OpenNodeChannel` throws. `onAuditFailed` is told if the second row could not be written.
 */
export async function openChannel(
  ctx: ChannelContext,
  { account_id, program, record }: { account_id: number; program: ChannelProgram; record?: AuditedRecord },
  onAuditFailed: (error: unknown) => void = () => {},
): Promise<NodeChannel> {
  const { kind } = program;
  const { open, close } = actions[kind];
  requireMay(ctx.actor.role, open);
  const account = await getAccountNode(ctx.db, scopeOf(ctx.actor), account_id);
  if (account.state !== 'active') throw channelRefusals.inactive();
  if (kind === 'terminal' && account.terminal_access !== 1) throw channelRefusals.not_allowed();
  const channel = await ctx.openNodeChannel(account.node_id, { account_id, program });
  const openedAt = ctx.now();
  const target = record?.target ?? `account:${account_id}`;
  const note = (action: Action, details: Readonly<Record<string, unknown>> = {}) =>
    ctx.db
      .transaction()
      .execute((trx) =>
        audit(trx, ctx, { action, target, account_id, details: { ...record?.details, ...details } }),
      );
  try {
    await note(open);
  } catch (error) {
    channel.destroy();
    throw error;
  }
  if (close === null) return channel;
  channel.once('close', () => {
    const seconds = Math.round((ctx.now().getTime() - openedAt.getTime()) / 1_000);
    note(close, { seconds }).catch(onAuditFailed);
  });
  return channel;
}

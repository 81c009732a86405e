import { findAccountMail, findRelayOfNode, getAccountDetails, getMailLimits } from '@innkeeper/db';
import { type MailLimits, mailWindows } from '@innkeeper/domain';
import type { ServiceContext } from '../context.ts';
import { scopeOf } from '../scope.ts';

/** What an account has sent, in recipients. */
export interface AccountMailView extends MailLimits {
  /** Whether the server of the account has a relay. Without one nothing can be sent. */
  has_relay: boolean;
  is_suspended: boolean;
  hour: { sent: number; refused: number };
  day: { sent: number; refused: number };
  /** Messages that wait in the queue of the server. */
  queued: number;
  /** What the relay said of the oldest one. Null: nothing waits, or its server did not answer. */
  waits_because: string | null;
  /** When the figures are from; null: now, from the server. */
  reported_at: Date | null;
  /** The end of a sender address that is not of a domain of the account. Null: the name of the server. */
  sender_domain: string | null;
}

const nothing = { sent: 0, refused: 0 };

/**
 * Asks the server of the account, and falls back to its last report. Throws `not_found` outside the actor's scope.
 */
export async function getAccountMail(
  ctx: ServiceContext,
  { account_id }: { account_id: number },
): Promise<AccountMailView> {
  const { node_id, state } = await getAccountDetails(ctx.db, scopeOf(ctx.actor), account_id);
  const [answer, stored, limits, relay] = await Promise.all([
    ctx.askNode(node_id, 'account-mail', { account_id }),
    findAccountMail(ctx.db, account_id),
    getMailLimits(ctx.db, account_id),
    findRelayOfNode(ctx.db, node_id),
  ]);
  const counts = answer === undefined ? stored : answer.mail;
  const now = mailWindows(ctx.now());
  return {
    ...limits,
    has_relay: relay !== undefined,
    is_suspended: state === 'suspended',
    hour: counts?.hour === now.hour ? { sent: counts.hour_sent, refused: counts.hour_refused } : nothing,
    day: counts?.day === now.day ? { sent: counts.day_sent, refused: counts.day_refused } : nothing,
    queued: counts?.queued ?? 0,
    waits_because: answer === undefined || answer.waits_because === '' ? null : answer.waits_because,
    reported_at: answer === undefined ? (stored?.reported_at ?? null) : null,
    sender_domain: relay?.sender_domain ?? null,
  };
}

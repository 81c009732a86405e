import { findMailRelay, findNodesWithRelay, type MailRelayRow, OF_INSTALLATION } from '@innkeeper/db';
import { requireMay } from '@innkeeper/domain';
import type { OperatorContext } from '../context.ts';
import { getNodeRow, type NodeRef } from '../nodes/node-ref.ts';

/** A relay, without its password. */
export interface MailRelayView {
  host: string;
  port: number;
  encryption: 'tls' | 'starttls' | 'none';
  username: string | null;
  has_password: boolean;
  sender_domain: string | null;
}

export interface MailRelayState {
  /** Null: there is none, and a server uses that of the installation. */
  relay: MailRelayView | null;
  /** For a server: the relay of the installation. */
  inherited: MailRelayView | null;
  /** For the installation: the servers that have a relay of their own. */
  own_relays: number[];
}

/** The relay of the installation, or of one server. For admins. Throws `not_found`. */
export async function getMailRelay(
  ctx: OperatorContext,
  { node }: { node?: NodeRef | undefined },
): Promise<MailRelayState> {
  requireMay(ctx.actor.role, 'mail-relay.set');
  const id = node === undefined ? OF_INSTALLATION : (await getNodeRow(ctx.db, node)).id;
  const [row, installation, own_relays] = await Promise.all([
    findMailRelay(ctx.db, id),
    findMailRelay(ctx.db, OF_INSTALLATION),
    findNodesWithRelay(ctx.db),
  ]);
  return {
    relay: row === undefined ? null : mailRelayView(row),
    inherited: id === OF_INSTALLATION || installation === undefined ? null : mailRelayView(installation),
    own_relays: id === OF_INSTALLATION ? own_relays : [],
  };
}

export function mailRelayView(row: MailRelayRow): MailRelayView {
  const { host, port, encryption, username, sealed_password, sender_domain } = row;
  return { host, port, encryption, username, has_password: sealed_password !== null, sender_domain };
}

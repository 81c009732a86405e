import { type MailRelayInput, mailRelay, parseFields } from '@innkeeper/contract';
import {
  type Database,
  deleteMailRelay,
  findMailRelay,
  lockNode,
  type MailRelayRow,
  storeMailRelay,
} from '@innkeeper/db';
import { type Action, canonicalAddress, invalidField, requireMay } from '@innkeeper/domain';
import type { Transaction } from 'kysely';
import { changedFields } from '../changed-fields.ts';
import type { OperatorContext } from '../context.ts';
import { changeSettings } from '../desired-state.ts';
import { getNodeRow, type NodeRef, noNode } from '../nodes/node-ref.ts';
import { mailRelayView } from './get-mail-relay.ts';

interface OfNode {
  /** Omitted: for all servers without a relay of their own. */
  node?: NodeRef | undefined;
}

/**
 * Sets the relay of the installation or of one server. The servers apply it with their next generation of settings.
 * The stored password stays if none is given and the server, its encryption and the username are the same: otherwise
 * another server would get it. Throws `invalid` with the field, `not_found`, and `forbidden` unless an admin asks.
 */
export async function setMailRelay(
  ctx: OperatorContext,
  { node, ...input }: MailRelayInput & OfNode,
): Promise<void> {
  await changeRelay(ctx, node, 'mail-relay.set', async (trx, node_id, before) => {
    const {
      relay_password,
      username = null,
      sender_domain = null,
      ...server
    } = parseFields(mailRelay, input);
    requireSafe({ ...server, username });
    const row: MailRelayRow = {
      ...server,
      node_id,
      username,
      sender_domain,
      sealed_password: sealedPassword(ctx, { ...server, username }, relay_password, before),
      updated_at: ctx.now(),
    };
    await storeMailRelay(trx, row);
    const changed = changedFields(
      { ...(before === undefined ? {} : mailRelayView(before)) },
      { ...mailRelayView(row) },
    );
    if (relay_password === undefined && Object.keys(changed.after).length === 0) return null;
    return { ...changed, ...(relay_password === undefined ? {} : { replaced: ['password'] }) };
  });
}

/**
 * Removes a relay. Without one of its own a server uses that of the installation; without both its accounts send no
 * mail, and what is in its queue waits for the next relay.
 */
export async function removeMailRelay(ctx: OperatorContext, { node }: OfNode): Promise<void> {
  await changeRelay(ctx, node, 'mail-relay.remove', async (trx, node_id, before) => {
    if (before === undefined) return null;
    await deleteMailRelay(trx, node_id);
    return { before: mailRelayView(before) };
  });
}

async function changeRelay(
  ctx: OperatorContext,
  ref: NodeRef | undefined,
  action: Action,
  change: (
    trx: Transaction<Database>,
    nodeId: number,
    before: MailRelayRow | undefined,
  ) => Promise<Readonly<Record<string, unknown>> | null>,
): Promise<void> {
  requireMay(ctx.actor.role, action);
  const node = ref === undefined ? undefined : await getNodeRow(ctx.db, ref);
  await changeSettings(ctx, { action, node }, async (trx, id) => {
    // A server that is removed meanwhile cannot leave a relay behind.
    if (node !== undefined && (await lockNode(trx, id)) === undefined) throw noNode(node.id);
    return await change(trx, id, await findMailRelay(trx, id));
  });
}

/** A password never crosses a network in clear, and a certificate is checked for a name. */
function requireSafe({
  host,
  encryption,
  username,
}: Pick<MailRelayRow, 'host' | 'encryption' | 'username'>): void {
  if (encryption === 'none' && username !== null)
    throw invalidField(
      'encryption',
      'Without encryption the relay must want no sign-in: leave the username empty.',
    );
  if (encryption !== 'none' && canonicalAddress(host) !== undefined)
    throw invalidField(
      'host',
      'With encryption the host field must be the name that the certificate of the relay has.',
    );
}

function sealedPassword(
  { sealer }: OperatorContext,
  wanted: Pick<MailRelayRow, 'host' | 'port' | 'encryption' | 'username'>,
  password: string | undefined,
  before: MailRelayRow | undefined,
): string | null {
  if (wanted.username === null) {
    if (password !== undefined)
      throw invalidField('username', 'The username field is required with a password.');
    return null;
  }
  if (password !== undefined) return sealer.seal('relay-password', password);
  const kept = before?.sealed_password ?? null;
  if (kept === null) throw invalidField('relay_password', 'Enter the password of the relay.');
  const isSame = (['host', 'port', 'encryption', 'username'] as const).every(
    (field) => before?.[field] === wanted[field],
  );
  if (!isSame)
    throw invalidField(
      'relay_password',
      'Enter the password again: the server or the username is another one.',
    );
  return kept;
}

import { insertNode, inTransaction } from '@innkeeper/db';
import { canonicalAddress, DOMAIN_NAME_PATTERN, NODE_NAME_PATTERN } from '@innkeeper/domain';
import { audit } from '../audit.ts';
import type { OperatorContext } from '../context.ts';
import { FieldCheck } from '../field-check.ts';
import { requireAdmin } from '../require-admin.ts';
import { issueJoinSecret, JOIN_SECRET_MAX_SECONDS, type JoinSecret } from './join-secret.ts';
import { getNodeRow } from './node-ref.ts';
import { type NodeView, nodeView } from './node-view.ts';

export interface AddNodeInput {
  name: string;
  /** IP address, or host name with a dot, where sites are reached. */
  address: string;
  /** 1 to 3600. Default: 3600. */
  lifetime_seconds?: number;
}

/** Adds a hosting server and returns a one-time secret for its enrolment. */
export async function addNode(
  ctx: OperatorContext,
  input: AddNodeInput,
): Promise<{ node: NodeView } & JoinSecret> {
  requireAdmin(ctx);
  const node = checkedNode(input);
  return inTransaction(ctx.db, async (trx) => {
    const id = await insertNode(trx, { ...node, created_at: ctx.now() });
    const joinSecret = await issueJoinSecret(trx, id, input.lifetime_seconds ?? JOIN_SECRET_MAX_SECONDS);
    await audit(trx, ctx, {
      action: 'node.add',
      target: `node:${id}`,
      account_id: null,
      details: { after: node },
    });
    return { node: nodeView(await getNodeRow(trx, id)), ...joinSecret };
  });
}

function checkedNode(input: AddNodeInput): { name: string; address: string } {
  const check = new FieldCheck();
  const name = input.name.trim().toLowerCase();
  if (!NODE_NAME_PATTERN.test(name))
    check.refuse(
      'name',
      'The name field must be 1-63 letters a-z, digits and dashes, with a letter among them and no dash first.',
    );
  const typed = input.address.trim().toLowerCase();
  const address = canonicalAddress(typed) ?? typed.replace(/\.$/, '');
  if (canonicalAddress(typed) === undefined && !DOMAIN_NAME_PATTERN.test(address))
    check.refuse('address', 'The address field must be an IPv4 or IPv6 address or a host name with a dot.');
  check.settle();
  return { name, address };
}

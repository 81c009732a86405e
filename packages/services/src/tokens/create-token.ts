import { randomInt } from 'node:crypto';
import { type InputOf, newToken, parseFields } from '@innkeeper/contract';
import {
  type Database,
  findNewestTokenId,
  findStaffUser,
  findTokens,
  insertToken,
  inTransaction,
  lockUser,
  type StaffUser,
} from '@innkeeper/db';
import {
  DomainError,
  type FieldErrors,
  abilities as knownAbilities,
  makeApiToken,
  presetAbilities,
  readAllowlist,
  requireMay,
} from '@innkeeper/domain';
import type { Transaction } from 'kysely';
import { audit } from '../audit.ts';
import type { OperatorContext } from '../context.ts';
import { tokenOwner } from '../scope.ts';
import { hashSecret } from '../secrets/random-secrets.ts';
import { later } from '../sessions/session-lifetime.ts';
import { type TokenView, tokenView } from './token-view.ts';

const DAY_MS = 86_400_000;

export interface CreateTokenInput extends Omit<InputOf<typeof newToken>, 'preset'> {
  preset?: string;
  /** Addresses and CIDR ranges, separated by commas, spaces or semicolons. Empty or omitted: any address. */
  allowed_ips?: string;
  /**
   * Id of the newest token that the actor has seen. If there is a newer one, throws `conflict`, so that submitting a
   * form twice does not create a second token.
   */
  newest_id?: number;
}

/** Creates a token. Only the caller gets `plain_token`; the database does not store it. */
export async function createToken(
  ctx: OperatorContext,
  input: CreateTokenInput,
): Promise<{ token: TokenView; plain_token: string }> {
  requireMay(ctx.actor.role, 'token.create');
  const plain_token = makeApiToken((limit) => randomInt(limit));
  const token = await inTransaction(ctx.db, async (trx) => {
    if (input.newest_id !== undefined) await requireNoNewer(trx, ctx, input.newest_id);
    const owner = await findStaffUser(trx, input.user.trim().toLowerCase());
    const { user, expires_in_days, ...columns } = checkedToken(ctx, input, owner);
    const expires_at = expires_in_days === null ? null : later(ctx.now(), expires_in_days * DAY_MS);
    const id = await insertToken(trx, {
      ...columns,
      expires_at,
      user_id: user.id,
      token_hash: hashSecret(plain_token),
      created_at: ctx.now(),
    });
    await audit(trx, ctx, {
      action: 'token.create',
      target: `token:${id}`,
      account_id: null,
      details: { after: { user: user.username, ...columns, expires_at } },
    });
    const [row] = await findTokens(trx, { id });
    return tokenView(row!);
  });
  return { token, plain_token };
}

async function requireNoNewer(
  trx: Transaction<Database>,
  { actor }: OperatorContext,
  newestId: number,
): Promise<void> {
  if (actor.userId !== null) await lockUser(trx, actor.userId);
  if ((await findNewestTokenId(trx, { user_id: tokenOwner(actor) })) > newestId)
    throw new DomainError(
      'conflict',
      'A token was created since this form was shown. Look at the list before you create another.',
    );
}

function checkedToken(ctx: OperatorContext, input: CreateTokenInput, owner: StaffUser | undefined) {
  const user = ctx.actor.role === 'admin' || owner?.id === ctx.actor.userId ? owner : undefined;
  const allowlist = readAllowlist(input.allowed_ips ?? '');
  const {
    name,
    purpose = 'api',
    preset = 'custom',
    abilities = [],
    expires_in_days = null,
  } = parseFields(newToken, input, {
    ...(user === undefined && { user: ['There is no admin or reseller of this name.'] }),
    ...(allowlist.refused && { allowed_ips: allowlist.refused }),
    ...choiceRefusals(input),
  });
  return {
    user: user!,
    name,
    purpose,
    preset,
    abilities:
      preset === 'custom'
        ? ['*', ...knownAbilities].filter((ability) => abilities.includes(ability))
        : presetAbilities(preset),
    allowed_ips: allowlist.entries ?? [],
    expires_in_days,
  };
}

function choiceRefusals({ preset = 'custom', abilities }: CreateTokenInput): FieldErrors {
  if (preset !== 'custom' && abilities !== undefined)
    return { abilities: ['Choose a preset or single abilities, not both.'] };
  return preset === 'custom' && abilities === undefined
    ? { abilities: ['Choose a preset, or the abilities that the token is to have.'] }
    : {};
}

import { randomInt } from 'node:crypto';
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
  abilities as knownAbilities,
  makeApiToken,
  presetAbilities,
  readAllowlist,
  type TokenPreset,
  tokenPresets,
} from '@innkeeper/domain';
import type { Transaction } from 'kysely';
import { audit } from '../audit.ts';
import type { OperatorContext } from '../context.ts';
import { FieldCheck } from '../field-check.ts';
import { hashSecret } from '../secret-hash.ts';
import { tokenOwner } from './token-owner.ts';
import { type TokenView, tokenView } from './token-view.ts';

export interface CreateTokenInput {
  /** Username of the admin or reseller that the token acts as. A reseller creates tokens only for itself. */
  user: string;
  name: string;
  /** Purpose in one word. Default: `api`. */
  purpose?: string;
  /** Either a preset or abilities (which make it `custom`). */
  preset?: string;
  /** `*` means all abilities. A token with an empty list can do nothing. */
  abilities?: readonly string[];
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
  const plain_token = makeApiToken((limit) => randomInt(limit));
  const token = await inTransaction(ctx.db, async (trx) => {
    if (input.newest_id !== undefined) await requireNoNewer(trx, ctx, input.newest_id);
    const owner = await findStaffUser(trx, input.user.trim().toLowerCase());
    const { user, ...columns } = checkedToken(ctx, input, owner);
    const id = await insertToken(trx, {
      ...columns,
      user_id: user.id,
      token_hash: hashSecret(plain_token),
      created_at: ctx.now(),
    });
    await audit(trx, ctx, {
      action: 'token.create',
      target: `token:${id}`,
      account_id: null,
      details: { after: { user: user.username, ...columns } },
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

interface CheckedToken {
  user: StaffUser;
  name: string;
  purpose: string;
  preset: TokenPreset;
  abilities: string[];
  allowed_ips: string[];
}

function checkedToken(
  ctx: OperatorContext,
  input: CreateTokenInput,
  owner: StaffUser | undefined,
): CheckedToken {
  const check = new FieldCheck();
  const user = ctx.actor.role === 'admin' || owner?.id === ctx.actor.userId ? owner : undefined;
  if (user === undefined) check.refuse('user', 'There is no admin or reseller of this name.');
  const name = check.line('name', input.name, { min: 1, max: 100 });
  const purpose = check.line('purpose', input.purpose ?? 'api', { min: 1, max: 32 });
  const granted = checkedAbilities(check, input);
  const allowlist = readAllowlist(input.allowed_ips ?? '');
  for (const sentence of allowlist.refused ?? []) check.refuse('allowed_ips', sentence);
  check.settle();
  return { user: user!, name, purpose, ...granted, allowed_ips: allowlist.entries ?? [] };
}

function checkedAbilities(
  check: FieldCheck,
  input: CreateTokenInput,
): { preset: TokenPreset; abilities: string[] } {
  const preset = tokenPresets.find((known) => known === (input.preset ?? 'custom'));
  if (preset === undefined)
    check.refuse('preset', `The preset field must be one of ${tokenPresets.join(', ')}.`);
  else if (preset !== 'custom' && input.abilities !== undefined)
    check.refuse('abilities', 'Choose a preset or single abilities, not both.');
  else if (preset === 'custom' && input.abilities === undefined)
    check.refuse('abilities', 'Choose a preset, or the abilities that the token is to have.');
  const known: readonly string[] = ['*', ...knownAbilities];
  for (const ability of input.abilities ?? [])
    if (!known.includes(ability))
      check.refuse('abilities', `"${ability.slice(0, 50)}" is no ability; there are ${known.join(', ')}.`);
  if (preset !== undefined && preset !== 'custom') return { preset, abilities: presetAbilities(preset) };
  return { preset: 'custom', abilities: known.filter((ability) => input.abilities?.includes(ability)) };
}

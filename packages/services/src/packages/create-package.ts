import type { PackageView } from '@innkeeper/contract';
import { findPackage, insertAssignment, insertPackage, inTransaction } from '@innkeeper/db';
import type { AccountLimits } from '@innkeeper/domain';
import { audit } from '../audit.ts';
import type { OperatorContext } from '../context.ts';
import { FieldCheck } from '../field-check.ts';
import { getReseller } from '../resellers/reseller.ts';
import { checkedLimits, type PackageLimitsInput } from './package-limits.ts';
import { packageSlug } from './package-slug.ts';
import { packageView } from './package-view.ts';

export interface CreatePackageInput extends PackageLimitsInput {
  name: string;
  /** Default: derived from the name. */
  slug?: string;
  /** Default: false. */
  terminal_access?: boolean;
  /** Whether its accounts may connect to port 25 of other servers; default: false. Admins only. */
  smtp_port_25?: boolean;
  /** Internal package for accounts with custom limits, not for sale. Admins only. */
  is_internal?: boolean;
  /** The reseller that owns the package. Default: the calling reseller, or the admin. Admins only. */
  owner?: string;
  /** Other resellers that can sell it. Admins only. */
  resellers?: readonly string[];
}

/**
 * Creates a package. Throws DomainError `invalid` with every field outside the bounds of an account's limits, and for a
 * name that the owner already uses.
 */
export async function createPackage(ctx: OperatorContext, input: CreatePackageInput): Promise<PackageView> {
  const { name, slug, limits } = checkedPackage(ctx, input);
  return inTransaction(ctx.db, async (trx) => {
    const owner = input.owner === undefined ? undefined : await getReseller(trx, input.owner);
    const now = ctx.now();
    const id = await insertPackage(trx, {
      ...limits,
      owner_user_id: owner?.id ?? (ctx.actor.role === 'reseller' ? ctx.actor.userId : null),
      name,
      slug,
      terminal_access: input.terminal_access ? 1 : 0,
      smtp_port_25: input.smtp_port_25 ? 1 : 0,
      is_active: 1,
      is_internal: input.is_internal ? 1 : 0,
      created_at: now,
      updated_at: now,
    });
    for (const username of input.resellers ?? []) {
      const reseller = await getReseller(trx, username);
      await insertAssignment(trx, { package_id: id, reseller_user_id: reseller.id });
    }
    await audit(trx, ctx, {
      action: 'package.create',
      target: `package:${id}`,
      account_id: null,
      details: {
        after: {
          name,
          slug,
          ...limits,
          terminal_access: input.terminal_access === true,
          smtp_port_25: input.smtp_port_25 === true,
          is_internal: input.is_internal === true,
          owner: owner?.username ?? null,
          resellers: input.resellers ?? [],
        },
      },
    });
    const row = await findPackage(trx, id, { role: 'admin' });
    return packageView(row!);
  });
}

function checkedPackage(
  ctx: OperatorContext,
  input: CreatePackageInput,
): { name: string; slug: string; limits: AccountLimits } {
  const check = new FieldCheck();
  const name = check.line('name', input.name, { min: 1, max: 100 });
  const slug = input.slug ?? packageSlug(name);
  if (!/^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(slug) || slug.length > 100)
    check.refuse(
      'slug',
      'The slug field must be 1-100 letters a-z and digits with single dashes between them. Give one where the name has none.',
    );
  const limits = checkedLimits(check, input);
  for (const field of ['smtp_port_25', 'is_internal', 'owner', 'resellers'] as const)
    if (ctx.actor.role !== 'admin' && input[field] !== undefined)
      check.refuse(field, `The ${field.replaceAll('_', ' ')} field is for admins.`);
  if (input.is_internal && (input.owner !== undefined || input.resellers?.length))
    check.refuse('is_internal', 'An internal package is nobody’s to sell: leave out owner and resellers.');
  if (input.owner !== undefined && input.resellers?.length)
    check.refuse('resellers', 'Only packages of the admin can be assigned to resellers.');
  check.settle();
  return { name, slug, limits };
}

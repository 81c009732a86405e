import { type CreatePackageInput, newPackage, type PackageView, parseFields } from '@innkeeper/contract';
import { findPackage, insertAssignment, insertPackage, inTransaction, lockReseller } from '@innkeeper/db';
import {
  accountLimits,
  DomainError,
  type FieldErrors,
  FTP_LOGINS_DEFAULT_LIMIT,
  mailLimits,
  requireMay,
  words,
} from '@innkeeper/domain';
import { audit } from '../audit.ts';
import type { OperatorContext } from '../context.ts';
import { getReseller } from '../resellers/reseller.ts';
import { resellerIdOf } from '../scope.ts';
import { packageSlug } from './package-slug.ts';
import { packageView } from './package-view.ts';

/**
 * Creates a package. Throws DomainError `invalid` with every field outside the bounds of an account's limits, and for a
 * name that the owner already uses.
 */
export async function createPackage(ctx: OperatorContext, input: CreatePackageInput): Promise<PackageView> {
  requireMay(ctx.actor.role, 'package.create');
  const fields = parseFields(newPackage, input, refusalsOf(ctx, input));
  const { name, slug = packageSlug(name), resellers = [] } = fields;
  const { terminal_access = false, smtp_port_25 = false, is_internal = false } = fields;
  const { max_ftp_logins = FTP_LOGINS_DEFAULT_LIMIT } = fields;
  const { mail_per_hour = mailLimits.mail_per_hour.initial, mail_per_day = mailLimits.mail_per_day.initial } =
    fields;
  const limits = accountLimits((limit) => fields[limit.packageField] ?? null);
  return inTransaction(ctx.db, async (trx) => {
    const owner = fields.owner === undefined ? undefined : await getReseller(trx, fields.owner);
    const ownerId = owner?.id ?? (ctx.actor.role === 'reseller' ? resellerIdOf(ctx.actor) : null);
    // A reseller that is deleted meanwhile cannot leave a package behind.
    if (ownerId !== null && (await lockReseller(trx, ownerId)) === undefined)
      throw new DomainError('not_found', 'There is no such reseller.');
    const now = ctx.now();
    const id = await insertPackage(trx, {
      ...limits,
      owner_user_id: ownerId,
      name,
      slug,
      terminal_access: Number(terminal_access),
      smtp_port_25: Number(smtp_port_25),
      max_ftp_logins,
      mail_per_hour,
      mail_per_day,
      is_active: 1,
      is_internal: Number(is_internal),
      created_at: now,
      updated_at: now,
    });
    for (const username of resellers) {
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
          terminal_access,
          smtp_port_25,
          max_ftp_logins,
          mail_per_hour,
          mail_per_day,
          is_internal,
          owner: owner?.username ?? null,
          resellers,
        },
      },
    });
    const row = await findPackage(trx, id, { role: 'admin' });
    return packageView(row!);
  });
}

function refusalsOf({ actor }: OperatorContext, input: CreatePackageInput): FieldErrors {
  const refused: Record<string, string[]> = {};
  for (const field of [
    'smtp_port_25',
    'mail_per_hour',
    'mail_per_day',
    'is_internal',
    'owner',
    'resellers',
  ] as const)
    if (actor.role !== 'admin' && input[field] !== undefined)
      refused[field] = [`The ${words(field)} field is for admins.`];
  if (input.slug === undefined && packageSlug(input.name) === '')
    refused.slug = ['The slug field is required: the name has no letter a-z and no digit.'];
  if (input.is_internal && (input.owner !== undefined || input.resellers?.length))
    refused.is_internal = ['An internal package is not for sale: omit owner and resellers.'];
  if (input.owner !== undefined && input.resellers?.length)
    refused.resellers = ['Only packages of the admin can be assigned to resellers.'];
  return refused;
}

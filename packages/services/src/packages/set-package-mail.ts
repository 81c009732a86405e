import {
  type packageMail as fieldsOfMail,
  type InputOf,
  packageMail,
  parseFields,
} from '@innkeeper/contract';
import { findPackage, storePackage } from '@innkeeper/db';
import { DomainError, type MailLimits } from '@innkeeper/domain';
import { changedFields } from '../changed-fields.ts';
import type { OperatorContext } from '../context.ts';
import { changeDesiredOfPackage } from '../desired-state.ts';

/**
 * Sets the limits of mail of a package. All of its accounts have them in their next generation. Throws `invalid` with
 * the fields, `forbidden` for resellers, whose customers send over the admin's relay, and `not_found`.
 */
export async function setPackageMail(
  ctx: OperatorContext,
  { package_id: id, ...input }: InputOf<typeof fieldsOfMail> & { package_id: number },
): Promise<MailLimits & { name: string }> {
  const wanted = parseFields(packageMail, input);
  return await changeDesiredOfPackage(ctx, { action: 'package.update', id }, async (trx) => {
    const row = await findPackage(trx, id, { role: 'admin' }, { lock: 'update' });
    if (row === undefined) throw new DomainError('not_found', `There is no package ${id}.`);
    const { mail_per_hour, mail_per_day, name } = row;
    const changed = changedFields({ mail_per_hour, mail_per_day }, wanted);
    const view = () => ({ ...wanted, name });
    if (Object.keys(changed.after).length === 0) return { details: null, view };
    await storePackage(trx, id, { ...wanted, updated_at: ctx.now() });
    return { details: { name, ...changed }, view };
  });
}

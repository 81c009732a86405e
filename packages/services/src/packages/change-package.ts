import { type ChangePackageInput, changedPackage, type PackageView, parseFields } from '@innkeeper/contract';
import {
  countByManager,
  type Database,
  findPool,
  inTransaction,
  type PackageRow,
  storePackage,
  sumAllocated,
} from '@innkeeper/db';
import {
  type AccountLimits,
  accountLimits,
  DomainError,
  limitNames,
  limits as limitRows,
  limitsOf,
  type PoolAllocation,
  poolExcess,
  requireMay,
} from '@innkeeper/domain';
import type { Kysely, Transaction } from 'kysely';
import { audit } from '../audit.ts';
import { beginBulkChange, requireNoBulkChange } from '../bulk-changes/begin-bulk-change.ts';
import type { PackageMove } from '../bulk-changes/bulk-change.ts';
import { changedFields } from '../changed-fields.ts';
import type { OperatorContext } from '../context.ts';
import { getOwnPackage, lockOwnPackage } from './package-owner.ts';
import { packageView } from './package-view.ts';

/** What a change of a package means for its accounts. */
export interface PackageChangePreview {
  /** Accounts with the package. */
  accounts: number;
  /** What changes, and how many accounts have the present value. The others have a value of their own. */
  limits: { limit: keyof AccountLimits; from: number | null; to: number | null; accounts: number }[];
  terminal_access: { from: boolean; to: boolean } | null;
}

type Input = ChangePackageInput & { package_id: number };

/** Throws like `changePackage`, but changes nothing. */
export async function previewPackageChange(
  ctx: OperatorContext,
  input: Input,
): Promise<PackageChangePreview> {
  const fields = parseFields(changedPackage, input);
  const row = await getOwnPackage(ctx.db, ctx, input.package_id);
  const move = moveOf(row, fields);
  const managers = await countMoved(ctx.db, row, move);
  const accounts = managers.reduce((sum, manager) => sum + manager.accounts, 0);
  return {
    accounts,
    limits: Object.entries(move.limits).map(([limit, { from, to }]) => ({
      limit: limit as keyof AccountLimits,
      from,
      to,
      accounts: managers.reduce((sum, manager) => sum + Number(manager[`with_${limit}`]), 0),
    })),
    terminal_access: move.terminal_access ?? null,
  };
}

/**
 * Changes a package: its names, its limits and terminal access. Accounts have copies of the limits, so `accounts` says
 * whether they follow. If they do, the same transaction stores a bulk change, and each account that has the value of
 * the package before gets the new one. `bulk_change_id` is null if no account has to follow.
 *
 * Throws `invalid` with the wrong fields, and on `accounts` if a reseller's pool has too little left for all of its
 * accounts; `not_found`; `precondition_failed` while accounts still get an earlier change of the package.
 */
export async function changePackage(
  ctx: OperatorContext,
  input: Input,
): Promise<{ package: PackageView; bulk_change_id: number | null }> {
  requireMay(ctx.actor.role, 'package.change');
  const fields = parseFields(changedPackage, input);
  const subject = `package:${input.package_id}`;
  return await inTransaction(ctx.db, async (trx) => {
    const row = await lockOwnPackage(trx, ctx, input.package_id);
    const next = valuesOf(row, fields);
    const before = shownOf(row);
    const { before: was, after } = changedFields(before, shownOf({ ...row, ...next }));
    if (Object.keys(after).length === 0) return { package: packageView(row), bulk_change_id: null };
    const move = moveOf(row, fields);
    const moves = Object.keys(move.limits).length > 0 || move.terminal_access !== undefined;
    if (moves) await requireNoBulkChange(trx, subject);
    const follows = moves && fields.accounts === 'follow';
    if (follows) await requirePools(trx, row, move);
    await storePackage(trx, row.id, {
      ...next,
      terminal_access: next.terminal_access === 1,
      updated_at: ctx.now(),
    });
    const bulk = follows
      ? await beginBulkChange(trx, ctx, {
          action: { action: 'package-limits', package_id: row.id, ...move },
          subject,
          accounts: { package_id: row.id },
        })
      : null;
    await audit(trx, ctx, {
      action: 'package.change',
      target: subject,
      account_id: null,
      details: { name: row.name, before: was, after, ...(bulk === null ? {} : { accounts: bulk.total }) },
    });
    return {
      package: packageView({ ...row, ...next }),
      bulk_change_id: bulk === null || bulk.total === 0 ? null : bulk.id,
    };
  });
}

type Fields = ReturnType<typeof parseFields<typeof changedPackage>>;

function valuesOf(row: PackageRow, fields: Fields) {
  const limits = accountLimits(({ packageField }) => fields[packageField] ?? null);
  const { name, slug = row.slug, terminal_access = false, max_ftp_logins = row.max_ftp_logins } = fields;
  return { ...limits, name, slug, terminal_access: Number(terminal_access), max_ftp_logins };
}

function shownOf(row: PackageRow) {
  const { name, slug, max_ftp_logins } = row;
  return { name, slug, ...limitsOf(row), terminal_access: row.terminal_access === 1, max_ftp_logins };
}

function moveOf(row: PackageRow, fields: Fields): PackageMove {
  const next = valuesOf(row, fields);
  const changed = limitNames.filter((name) => row[name] !== next[name]);
  const [from, to] = [row.terminal_access === 1, next.terminal_access === 1];
  return {
    limits: Object.fromEntries(changed.map((name) => [name, { from: row[name], to: next[name] }])),
    ...(from === to ? {} : { terminal_access: { from, to } }),
  };
}

async function countMoved(db: Kysely<Database>, row: PackageRow, { limits }: PackageMove) {
  const from = Object.entries(limits).map(
    ([name, move]) => [name as keyof AccountLimits, move.from] as const,
  );
  return await countByManager(db, row.id, new Map(from));
}

/**
 * Refuses what a reseller's pool cannot contain, before anything changes. The pools are not locked: an account that a
 * pool cannot contain any more when its turn comes is refused then.
 */
async function requirePools(trx: Transaction<Database>, row: PackageRow, move: PackageMove): Promise<void> {
  const sentences: string[] = [];
  for (const manager of await countMoved(trx, row, move)) {
    if (manager.reseller_user_id === null) continue;
    const pool = await findPool(trx, manager.reseller_user_id);
    if (pool === undefined) continue;
    const before = await sumAllocated(trx, manager.reseller_user_id);
    const after: PoolAllocation & Record<string, number> = { ...before };
    for (const { name, poolField, unlimitedField } of limitRows) {
      const moved = move.limits[name];
      if (moved === undefined || poolField === null) continue;
      const accounts = Number(manager[`with_${name}`]);
      after[poolField] += accounts * ((moved.to ?? 0) - (moved.from ?? 0));
      if (unlimitedField !== null)
        after[unlimitedField] += accounts * (Number(moved.to === null) - Number(moved.from === null));
    }
    const excess = poolExcess({ ...pool, overselling: pool.overselling === 1 }, before, after);
    if (excess.length > 0) sentences.push(`Reseller ${manager.username}: ${excess.join('; ')}.`);
  }
  if (sentences.length > 0)
    throw new DomainError('invalid', sentences.join(' '), { fields: { accounts: sentences } });
}

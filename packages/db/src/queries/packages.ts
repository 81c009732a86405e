import { invalidField } from '@innkeeper/domain';
import { type Insertable, type Kysely, type Selectable, sql, type Transaction } from 'kysely';
import type { Database, PackagesTable } from '../schema/index.ts';
import { isUniqueViolation } from '../unique-violation.ts';
import { countsByScope } from './record-counts.ts';

export type PackageRow = Selectable<PackagesTable>;

/** The viewer of packages. An admin sees every package, a reseller its own and those assigned to it. */
export type PackageViewer = { role: 'admin' } | { role: 'reseller'; user_id: number };

/** Active packages that the viewer may sell, ordered by id. Never the internal package. */
export async function findSellablePackages(
  db: Kysely<Database>,
  viewer: PackageViewer,
): Promise<PackageRow[]> {
  let query = db
    .selectFrom('packages')
    .selectAll('packages')
    .where('is_active', '=', 1)
    .where('is_internal', '=', 0)
    .orderBy('id');
  if (viewer.role === 'reseller') query = query.where(visibleTo(viewer.user_id));
  return query.execute();
}

/**
 * `share`: no other transaction changes the package until the transaction that puts an account on it ends. `update`: no
 * other transaction changes the package, or puts an account on it.
 */
export interface PackageLock {
  lock: 'share' | 'update';
}

/** In the syntax that MySQL and MariaDB have in common. */
const lockClauses = { share: sql`lock in share mode`, update: sql`for update` };

/** The package, and whether the viewer may see it (1) or may only know that it exists (0). */
export async function findPackage(
  db: Kysely<Database>,
  packageId: number,
  viewer: PackageViewer,
  locked?: PackageLock,
): Promise<(PackageRow & { visible: number }) | undefined> {
  const visible =
    viewer.role === 'admin'
      ? sql<number>`1`
      : sql<number>`packages.is_internal = 0 and ${visibleTo(viewer.user_id)}`;
  let query = db
    .selectFrom('packages')
    .selectAll('packages')
    .select(visible.as('visible'))
    .where('id', '=', packageId);
  if (locked !== undefined) query = query.modifyEnd(lockClauses[locked.lock]);
  return await query.executeTakeFirst();
}

/**
 * The package for accounts with custom limits: the internal one, otherwise the viewer's active package with the least
 * disk. Undefined if there is none.
 */
export async function findCustomPackage(
  db: Kysely<Database>,
  viewer: PackageViewer,
  locked?: PackageLock,
): Promise<PackageRow | undefined> {
  let query = db
    .selectFrom('packages')
    .selectAll('packages')
    .where('is_active', '=', 1)
    .orderBy('is_internal', 'desc')
    .orderBy('disk_limit_mb')
    .orderBy('id')
    .limit(1);
  if (viewer.role === 'reseller')
    query = query.where((eb) => eb.or([eb('is_internal', '=', 1), visibleTo(viewer.user_id)]));
  if (locked !== undefined) query = query.modifyEnd(lockClauses[locked.lock]);
  return await query.executeTakeFirst();
}

function visibleTo(resellerUserId: number) {
  return sql<boolean>`(packages.owner_user_id = ${resellerUserId} or exists (select 1 from reseller_packages where reseller_packages.package_id = packages.id and reseller_packages.reseller_user_id = ${resellerUserId}))`;
}

/** The columns of a package that an operator sees in addition to its limits. */
export interface PackageForOperator extends PackageRow {
  owner_username: string | null;
  account_count: number;
}

/** Every package, or the one with this id, including inactive and internal ones, ordered by id. Reads no account. */
export async function findAllPackages(
  db: Kysely<Database>,
  packageId?: number,
): Promise<PackageForOperator[]> {
  let uses = countsByScope(db, 'package_accounts');
  if (packageId !== undefined) uses = uses.where('scope_id', '=', packageId);
  const query = db
    .selectFrom('packages')
    .leftJoin('users', 'users.id', 'packages.owner_user_id')
    .leftJoin(uses.as('uses'), 'uses.scope_id', 'packages.id')
    .selectAll('packages')
    .select('users.username as owner_username')
    .select((eb) => eb.fn.coalesce('uses.accounts', eb.lit(0)).as('account_count'))
    .orderBy('packages.id');
  return await (packageId === undefined ? query : query.where('packages.id', '=', packageId)).execute();
}

/** The resellers that may sell packages, of all packages or of the one with this id, ordered by package and name. */
export async function findAssignments(
  db: Kysely<Database>,
  packageId?: number,
): Promise<{ package_id: number; username: string }[]> {
  const query = db
    .selectFrom('reseller_packages')
    .innerJoin('users', 'users.id', 'reseller_packages.reseller_user_id')
    .select(['reseller_packages.package_id', 'users.username'])
    .orderBy('reseller_packages.package_id')
    .orderBy('users.username');
  return await (packageId === undefined
    ? query
    : query.where('reseller_packages.package_id', '=', packageId)
  ).execute();
}

/** Returns its id. Throws DomainError `invalid` if its owner has a package with this slug. */
export async function insertPackage(
  trx: Transaction<Database>,
  values: Insertable<PackagesTable>,
): Promise<number> {
  try {
    const { insertId } = await trx.insertInto('packages').values(values).executeTakeFirstOrThrow();
    return Number(insertId);
  } catch (error) {
    if (isUniqueViolation(error, 'packages_owner_slug'))
      throw invalidField('name', `The name has already been taken: there is a package "${values.slug}".`);
    throw error;
  }
}

/** Allows a reseller to sell a package. Returns true if this call changed it, false if it was allowed before. */
export async function insertAssignment(
  trx: Transaction<Database>,
  assignment: { package_id: number; reseller_user_id: number },
): Promise<boolean> {
  try {
    await trx.insertInto('reseller_packages').values(assignment).execute();
    return true;
  } catch (error) {
    if (isUniqueViolation(error, 'PRIMARY')) return false;
    throw error;
  }
}

/** Opens or closes port 25 for the package. The caller has locked it. */
export async function storePackageSmtp(
  trx: Transaction<Database>,
  packageId: number,
  change: { smtp_port_25: boolean; updated_at: Date },
): Promise<void> {
  await trx.updateTable('packages').set(change).where('id', '=', packageId).execute();
}

/**
 * Raises the generation of every account of the package. Returns the number of accounts. The caller has locked the
 * package.
 */
export async function raiseGenerationsOfPackage(
  trx: Transaction<Database>,
  packageId: number,
): Promise<number> {
  const { numUpdatedRows } = await trx
    .updateTable('accounts')
    .set((eb) => ({ generation: eb('generation', '+', 1) }))
    .where('package_id', '=', packageId)
    .executeTakeFirstOrThrow();
  return Number(numUpdatedRows);
}

/** One account of the package for each node that has any. A wake with it makes the node pull everything pending. */
export async function findWakesOfPackage(
  db: Kysely<Database>,
  packageId: number,
): Promise<{ node_id: number; account_id: number; generation: number }[]> {
  return await db
    .selectFrom('accounts')
    .innerJoin(
      (eb) =>
        eb
          .selectFrom('accounts')
          .select((count) => count.fn.min('id').as('first_id'))
          .where('package_id', '=', packageId)
          .groupBy('node_id')
          .as('firsts'),
      (join) => join.onRef('firsts.first_id', '=', 'accounts.id'),
    )
    .select(['accounts.node_id', 'accounts.id as account_id', 'accounts.generation'])
    .execute();
}

import { type AccountLimits, invalidField } from '@innkeeper/domain';
import { type Insertable, type Kysely, type Selectable, sql, type Transaction } from 'kysely';
import type { Database, PackagesTable } from '../schema/index.ts';
import { isUniqueViolation } from '../unique-violation.ts';
import { countsByScope, deleteCounts } from './record-counts.ts';

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

/** The packages that a reseller may sell and its own retired ones, ordered by id. */
export async function findPackagesOfReseller(
  db: Kysely<Database>,
  resellerUserId: number,
): Promise<PackageRow[]> {
  return await db
    .selectFrom('packages')
    .selectAll('packages')
    .where('is_internal', '=', 0)
    .where((eb) =>
      eb.or([
        eb('owner_user_id', '=', resellerUserId),
        eb.and([eb('is_active', '=', 1), visibleTo(resellerUserId)]),
      ]),
    )
    .orderBy('id')
    .execute();
}

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
  const { insertId } = await refuseTakenSlug(values.slug, () =>
    trx.insertInto('packages').values(values).executeTakeFirstOrThrow(),
  );
  return Number(insertId);
}

async function refuseTakenSlug<T>(slug: string | undefined, write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    if (isUniqueViolation(error, 'packages_owner_slug'))
      throw invalidField('name', `The name has already been taken: there is a package "${slug}".`);
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

/** The columns of a package that a change may set. */
export type PackageChange = Partial<
  Pick<Insertable<PackagesTable>, keyof AccountLimits | 'name' | 'slug'>
> & {
  smtp_port_25?: boolean;
  max_ftp_logins?: number;
  mail_per_hour?: number;
  mail_per_day?: number;
  terminal_access?: boolean;
  is_active?: boolean;
  owner_user_id?: number | null;
};

/** Changes the package. The caller has locked it. Throws DomainError `invalid` for a slug that its owner uses. */
export async function storePackage(
  trx: Transaction<Database>,
  packageId: number,
  change: PackageChange & { updated_at: Date },
): Promise<void> {
  await refuseTakenSlug(change.slug, () =>
    trx.updateTable('packages').set(change).where('id', '=', packageId).execute(),
  );
}

/** Deletes the package and who may sell it. The caller has locked it, and no account has it. */
export async function deletePackageRow(trx: Transaction<Database>, packageId: number): Promise<void> {
  await trx.deleteFrom('reseller_packages').where('package_id', '=', packageId).execute();
  await trx.deleteFrom('packages').where('id', '=', packageId).execute();
  await deleteCounts(trx, 'package_accounts', packageId);
}

/** Takes the package from a reseller. Returns whether the reseller could sell it. */
export async function deleteAssignment(
  trx: Transaction<Database>,
  { package_id, reseller_user_id }: { package_id: number; reseller_user_id: number },
): Promise<boolean> {
  const { numDeletedRows } = await trx
    .deleteFrom('reseller_packages')
    .where('package_id', '=', package_id)
    .where('reseller_user_id', '=', reseller_user_id)
    .executeTakeFirstOrThrow();
  return numDeletedRows > 0n;
}

/** Exact number of accounts with the package, including those that are being removed. Reads an index. */
export async function countAccountsOfPackage(db: Kysely<Database>, packageId: number): Promise<number> {
  const { n } = await db
    .selectFrom('accounts')
    .select((eb) => eb.fn.countAll<number>().as('n'))
    .where('package_id', '=', packageId)
    .executeTakeFirstOrThrow();
  return n;
}

/**
 * For each manager of accounts of the package (null: the admin), how many of them have a value of the package:
 * `accounts` in total, and for each name in `values` the number of accounts with exactly that value. Reads the accounts
 * of the package.
 */
export async function countByManager(
  db: Kysely<Database>,
  packageId: number,
  values: ReadonlyMap<keyof AccountLimits, number | null>,
): Promise<
  ({ reseller_user_id: number | null; username: string | null; accounts: number } & Record<string, unknown>)[]
> {
  const counted = [...values].map(([name, value]) =>
    sql<number>`cast(sum(accounts.${sql.ref(name)} <=> ${value}) as signed)`.as(`with_${name}`),
  );
  return await db
    .selectFrom('accounts')
    .leftJoin('users', 'users.id', 'accounts.reseller_user_id')
    .select(['accounts.reseller_user_id', 'users.username'])
    .select((eb) => [eb.fn.countAll<number>().as('accounts'), ...counted])
    .where('package_id', '=', packageId)
    .where('accounts.state', '!=', 'terminating')
    .groupBy(['accounts.reseller_user_id', 'users.username'])
    .orderBy('users.username')
    .execute();
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

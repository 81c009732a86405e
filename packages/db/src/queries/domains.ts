import { DomainError, invalidField, recordSentences } from '@innkeeper/domain';
import { type Insertable, type Kysely, type Selectable, sql, type Transaction } from 'kysely';
import type { Database, DomainsTable } from '../schema/index.ts';
import { isUniqueViolation } from '../unique-violation.ts';
import { prefixPattern } from './like-pattern.ts';
import { pageOf, type RecordPage, recordsIn, withTotal } from './record-page.ts';
import { type Scope, within } from './scope.ts';

/** A domain joined with its account. Its DNS looks have queries of their own: `dns-looks.ts`. */
export interface DomainDetails extends Omit<Selectable<DomainsTable>, `dns_${string}`> {
  account_username: string;
  account_linux_user: string;
  /** The site that an alias shows. Null for a domain with a site of its own. */
  shown_domain_name: string | null;
  shown_document_root: string | null;
}

/** The columns with the settings of a site. */
export type SiteColumns = Pick<
  Selectable<DomainsTable>,
  | 'https_redirect'
  | 'redirect_url'
  | 'redirect_status'
  | 'redirect_keeps_path'
  | 'document_root'
  | 'password_folder'
  | 'password_user'
  | 'password_hash'
  | 'php_memory_limit_mb'
  | 'php_upload_mb'
  | 'php_execution_s'
  | 'php_input_vars'
  | 'php_display_errors'
  | 'php_time_zone'
  | 'php_cache_revision'
>;

const ofAccountAndSite = [
  'accounts.username as account_username',
  'accounts.linux_user as account_linux_user',
  'shown.domain_name as shown_domain_name',
  'shown.document_root as shown_document_root',
] as const;

/** Throws `not_found` for a domain that does not exist or is outside the scope. */
export async function getDomainDetails(
  db: Kysely<Database>,
  scope: Scope,
  domainId: number,
): Promise<DomainDetails> {
  let query = db
    .selectFrom('domains')
    .innerJoin('accounts', 'accounts.id', 'domains.account_id')
    .leftJoin('domains as shown', 'shown.id', 'domains.alias_of')
    .selectAll('domains')
    .select(ofAccountAndSite)
    .where('domains.id', '=', domainId);
  if (scope !== 'all') query = query.where(...within(scope));
  const row = await query.executeTakeFirst();
  if (row === undefined) throw new DomainError('not_found', `There is no domain ${domainId}.`);
  return row;
}

/** One page of domains, ordered by id, and the total. */
export async function findDomainPage(
  db: Kysely<Database>,
  scope: Scope,
  page: RecordPage,
): Promise<{ rows: DomainDetails[]; total: number }> {
  const { ids, total } = pageOf(recordsIn(db, 'domains', scope, page), page);
  const rows = await db
    .selectFrom(ids)
    .innerJoin('domains', 'domains.id', 'page.id')
    .innerJoin('accounts', 'accounts.id', 'domains.account_id')
    .leftJoin('domains as shown', 'shown.id', 'domains.alias_of')
    .selectAll('domains')
    .select(ofAccountAndSite)
    .select(total.$asScalar().$notNull().as('total'))
    .orderBy('domains.id')
    .execute();
  return withTotal(rows, page, () => total.executeTakeFirstOrThrow());
}

/** All domains of an account, tombstones included, oldest first. Exact only while the account is locked. */
export async function findDomainsOfAccount(
  db: Kysely<Database>,
  accountId: number,
): Promise<Selectable<DomainsTable>[]> {
  return await db
    .selectFrom('domains')
    .selectAll()
    .where('account_id', '=', accountId)
    .orderBy('id')
    .execute();
}

/**
 * Locks everything below a registrable name until the transaction ends. A row that does not exist cannot be locked, so
 * the row is written in any case.
 */
export async function lockDomainTree(trx: Transaction<Database>, registrableName: string): Promise<void> {
  await trx
    .insertInto('domain_trees')
    .values({ registrable_name: registrableName })
    .onDuplicateKeyUpdate({ registrable_name: sql`registrable_name` })
    .execute();
}

export async function isDomainNameTaken(trx: Transaction<Database>, name: string): Promise<boolean> {
  const row = await trx.selectFrom('domains').select('id').where('domain_name', '=', name).executeTakeFirst();
  return row !== undefined;
}

/** Whether another account has a parent or subdomain of this name. Exact only while the name's tree is locked. */
export async function isNameInAnothersTree(
  trx: Kysely<Database>,
  name: { above: readonly string[]; reversed: string; accountId: number },
): Promise<boolean> {
  const below = await trx
    .selectFrom('domains')
    .select('id')
    .where('reversed_name', 'like', `${name.reversed}.%`)
    .where('account_id', '!=', name.accountId)
    .limit(1)
    .executeTakeFirst();
  if (below !== undefined || name.above.length === 0) return below !== undefined;
  const above = await trx
    .selectFrom('domains')
    .select('id')
    .where('domain_name', 'in', name.above)
    .where('account_id', '!=', name.accountId)
    .limit(1)
    .executeTakeFirst();
  return above !== undefined;
}

/** Domains with one of the reversed names `at`, or below one of `below`, with the usernames of their accounts. */
export async function findDomainsAround(
  db: Kysely<Database>,
  { at, below, limit }: { at: readonly string[]; below: readonly string[]; limit: number },
): Promise<{ domain_name: string; account_username: string }[]> {
  return await db
    .selectFrom('domains')
    .innerJoin('accounts', 'accounts.id', 'domains.account_id')
    .select(['domains.domain_name', 'accounts.username as account_username'])
    .where((eb) =>
      eb.or([
        eb('domains.reversed_name', 'in', at),
        ...below.map((name) => eb('domains.reversed_name', 'like', prefixPattern(`${name}.`))),
      ]),
    )
    .orderBy('domains.id')
    .limit(limit)
    .execute();
}

/** Returns the new domain's id. Throws DomainError `invalid` for a name in use. */
export async function insertDomain(
  trx: Transaction<Database>,
  domain: Insertable<DomainsTable>,
): Promise<number> {
  try {
    const { insertId } = await trx.insertInto('domains').values(domain).executeTakeFirstOrThrow();
    return Number(insertId);
  } catch (error) {
    if (isUniqueViolation(error, 'domains_domain_name'))
      throw invalidField('domain_name', recordSentences.taken('domain_name'));
    throw error;
  }
}

/** Makes this domain the only primary domain of its account. Null: the account has no primary domain. */
export async function setPrimaryDomain(
  trx: Transaction<Database>,
  accountId: number,
  domainId: number | null,
  now: Date,
): Promise<void> {
  await trx
    .updateTable('domains')
    .set({ is_primary: 0, updated_at: now })
    .where('account_id', '=', accountId)
    .where('is_primary', '=', 1)
    .execute();
  if (domainId === null) return;
  await trx
    .updateTable('domains')
    .set({ is_primary: 1, updated_at: now })
    .where('account_id', '=', accountId)
    .where('id', '=', domainId)
    .execute();
}

/** Stores settings of a domain's site. The caller has locked the account. */
export async function storeSite(
  trx: Transaction<Database>,
  domainId: number,
  columns: Partial<SiteColumns>,
  now: Date,
): Promise<void> {
  await trx
    .updateTable('domains')
    .set({ ...columns, updated_at: now })
    .where('id', '=', domainId)
    .execute();
}

/** Gives each alias of a domain a site of its own. */
export async function detachAliases(
  trx: Transaction<Database>,
  accountId: number,
  domainId: number,
  now: Date,
): Promise<void> {
  await trx
    .updateTable('domains')
    .set({ alias_of: null, updated_at: now })
    .where('account_id', '=', accountId)
    .where('alias_of', '=', domainId)
    .execute();
}

/** Marks the domain as a tombstone. Its row is deleted only after the node reports it gone. */
export async function markDomainRemoving(
  trx: Transaction<Database>,
  domainId: number,
  now: Date,
): Promise<void> {
  await trx
    .updateTable('domains')
    .set({ state: 'removing', is_primary: 0, updated_at: now })
    .where('id', '=', domainId)
    .execute();
}

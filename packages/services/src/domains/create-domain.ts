import type { DomainView, NewDomain } from '@innkeeper/contract';
import {
  type AccountRow,
  type Database,
  findDomainsOfAccount,
  insertDomain,
  isDomainNameTaken,
  isNameInAnothersTree,
  lockDomainTree,
  rehearse,
  setPrimaryDomain,
} from '@innkeeper/db';
import {
  DOMAINS_PER_ACCOUNT,
  DomainError,
  findRegistrableName,
  invalidField,
  namesAbove,
  recordSentences,
  requireMay,
  reversedName,
} from '@innkeeper/domain';
import type { Transaction } from 'kysely';
import type { ServiceContext } from '../context.ts';
import { type Asked, changeDesired, lockAsked, type Written } from '../desired-state.ts';
import { domainView } from './domain-view.ts';
import { findReservedNames, overlappedBy } from './reserved-names.ts';

/** A domain, or with `alias_of` another name for the site of a domain. Both obey the same rules. */
export type AddedName = NewDomain & { alias_of?: number };

/**
 * Adds a domain to an account. Throws `not_found`, `precondition_failed` while the account is being terminated,
 * `invalid` for a public suffix, a name in use, a name of the provider and a name in another account's tree, and
 * `quota_exceeded`. An alias counts as a domain. A name in another account's tree is accepted if its DNS proves that
 * this account's owner owns the name. The error message contains the required TXT record.
 */
export async function createDomain(ctx: ServiceContext, input: AddedName): Promise<Written<DomainView>> {
  const isProven = await isOwnerProven(ctx, input);
  return await changeDesired(ctx, askedFor(input), async (trx, account, now) => {
    const { overlaps, existing } = await requireAddable(trx, ctx, account, {
      ...input,
      ownership: isProven ? 'proven' : 'unproven',
    });
    const shown = await findShownSite(trx, account, input);
    const primary = shown === undefined && (input.is_primary ?? existing === 0);
    if (primary) await setPrimaryDomain(trx, account.id, null, now);
    const row = newRow({
      account_id: account.id,
      domain_name: input.domain_name,
      is_primary: Number(primary),
      alias_of: shown?.id ?? null,
      now,
    });
    const id = await insertDomain(trx, row);
    const owner = {
      account_username: account.username,
      account_linux_user: account.linux_user,
      shown_domain_name: shown?.domain_name ?? null,
      shown_document_root: shown?.document_root ?? null,
    };
    return {
      target: `domain:${id}`,
      details: {
        after: {
          domain_name: input.domain_name,
          is_primary: primary,
          ...(shown && { alias_of: shown.domain_name }),
        },
        ...overlaps,
      },
      view: () => domainView({ ...row, id, ...owner }),
    };
  });
}

/**
 * Adds the first domain of an account that is created in the same transaction. Throws like `createDomain`. DNS cannot prove
 * anything yet: the record contains the account's id.
 */
export async function addFirstDomain(
  trx: Transaction<Database>,
  ctx: ServiceContext,
  account: Pick<AccountRow, 'id' | 'max_domains'>,
  { domain_name, now }: { domain_name: string; now: Date },
): Promise<void> {
  requireMay(ctx.actor.role, 'domain.create');
  const input = { hosting_account_id: account.id, domain_name };
  await requireAddable(trx, ctx, account, { ...input, ownership: 'unprovable' });
  const row = newRow({ account_id: account.id, domain_name, is_primary: 1, alias_of: null, now });
  await insertDomain(trx, row);
}

interface NewRow {
  account_id: number;
  domain_name: string;
  is_primary: number;
  alias_of: number | null;
  now: Date;
}

function newRow({ now, ...columns }: NewRow) {
  return {
    ...columns,
    reversed_name: reversedName(columns.domain_name),
    state: 'active',
    status: 'pending',
    status_reason: null,
    ...noCertificate,
    ...noSettings,
    created_at: now,
    updated_at: now,
  } as const;
}

function askedFor({ hosting_account_id }: NewDomain): Asked {
  return { action: 'domain.create', kind: 'account', id: hosting_account_id };
}

const noCertificate = {
  certificate_revision: 0,
  ssl_status: 'none',
  ssl_issuer: null,
  ssl_expires_at: null,
  ssl_issued_at: null,
  ssl_failing_since: null,
  ssl_next_attempt_at: null,
  ssl_error: null,
} as const;

const noSettings = {
  https_redirect: 1,
  redirect_url: null,
  redirect_status: 301,
  redirect_keeps_path: 0,
  document_root: null,
  password_folder: null,
  password_user: null,
  password_hash: null,
  php_memory_limit_mb: null,
  php_upload_mb: null,
  php_execution_s: null,
  php_input_vars: null,
  php_display_errors: 0,
  php_time_zone: null,
  php_cache_revision: 0,
} as const;

/** The domain of the account whose site the name shows. Throws for a domain that has no site of its own. */
async function findShownSite(
  trx: Transaction<Database>,
  account: AccountRow,
  { alias_of, domain_name }: AddedName,
) {
  if (alias_of === undefined) return undefined;
  const domains = await findDomainsOfAccount(trx, account.id);
  const shown = domains.find(({ id, state }) => id === alias_of && state === 'active');
  if (shown === undefined) throw new DomainError('not_found', `There is no domain ${alias_of}.`);
  if (shown.alias_of === null) {
    if (shown.redirect_url !== null && isNameOrWww(new URL(shown.redirect_url).hostname, domain_name))
      throw invalidField(
        'domain_name',
        'The domain name is where the site redirects to. Remove the redirect first.',
      );
    return shown;
  }
  throw new DomainError(
    'precondition_failed',
    'This name shows the site of another domain. Add the name to that domain.',
  );
}

function isNameOrWww(host: string, name: string): boolean {
  return host === name || host === `www.${name}`;
}

interface Overlaps {
  overlaps_reserved?: string;
  proven_by?: 'dns';
}

/** Whether DNS proves that the owner of the account owns the name. A new account has no record to look for. */
type Ownership = 'proven' | 'unproven' | 'unprovable';

/** Locks the name with its parents and subdomains. Throws if the account cannot have the name. */
async function requireAddable(
  trx: Transaction<Database>,
  ctx: ServiceContext,
  account: Pick<AccountRow, 'id' | 'max_domains'>,
  input: NewDomain & { ownership: Ownership },
): Promise<{ overlaps: Overlaps; existing: number }> {
  const overlaps = await requireFreeName(trx, ctx, { ...input, accountId: account.id });
  return { overlaps, existing: await requireRoom(trx, account) };
}

/**
 * Locks the registrable name's tree before the checks. If two accounts add a name and its parent at the same time, the
 * second sees the change of the first.
 */
async function requireFreeName(
  trx: Transaction<Database>,
  ctx: ServiceContext,
  asked: NewDomain & { accountId: number; ownership: Ownership },
): Promise<Overlaps> {
  const { accountId, domain_name: name, ownership } = asked;
  const { names } = ctx;
  const registrable = findRegistrableName(name);
  if (registrable === undefined)
    throw invalidField('domain_name', 'The domain name field must not be a public suffix.');
  await lockDomainTree(trx, registrable);
  if (await isDomainNameTaken(trx, name))
    throw invalidField('domain_name', recordSentences.taken('domain_name'));
  const reserved = overlappedBy(name, await findReservedNames(trx, names.reserved));
  if (mayOverlap(ctx, asked)) return reserved === undefined ? {} : { overlaps_reserved: reserved };
  if (reserved !== undefined)
    throw invalidField(
      'domain_name',
      'The domain name is reserved: it is a name of the provider, or a parent or subdomain of one.',
    );
  if (ownership === 'proven') return { proven_by: 'dns' };
  if (await isNameInAnothersTree(trx, treeOf(accountId, name))) {
    if (ownership === 'unprovable')
      throw invalidField(
        'domain_name',
        'The domain name is below or above a domain of another account. Create the account without it, then add it to the account.',
      );
    const record = names.proofOf(accountId, name);
    throw invalidField(
      'domain_name',
      'The domain name is below or above a domain of another account. If it is yours, add the TXT record ' +
        `${record.name} with the value ${record.value} to its DNS, and add the domain again.`,
    );
  }
  return {};
}

/**
 * Whether DNS has this account's TXT record, for a name in another account's tree. Anyone who can write the record owns
 * the name. The DNS query runs last, only if this proof decides, and without any lock.
 */
async function isOwnerProven(ctx: ServiceContext, input: NewDomain): Promise<boolean> {
  const { db, names } = ctx;
  const { hosting_account_id: accountId, domain_name } = input;
  if (mayOverlap(ctx, input) || !(await isNameInAnothersTree(db, treeOf(accountId, domain_name))))
    return false;
  try {
    await rehearse(db, async (trx) => {
      const account = await lockAsked(trx, ctx, askedFor(input));
      await requireAddable(trx, ctx, account, { ...input, ownership: 'proven' });
    });
  } catch (error) {
    // The write gets the same error, unless the change was made before.
    if (error instanceof DomainError) return false;
    throw error;
  }
  const record = names.proofOf(accountId, domain_name);
  return (await names.resolveTxt(record.name)).includes(record.value);
}

function mayOverlap({ actor }: ServiceContext, { allow_overlap }: NewDomain): boolean {
  return actor.role === 'admin' && allow_overlap === true;
}

function treeOf(accountId: number, name: string) {
  return { above: namesAbove(name), reversed: reversedName(name), accountId };
}

/**
 * Returns the number of domains of the account. Domains that are being removed do not count against the limit, but a
 * node accepts only `DOMAINS_PER_ACCOUNT` domains of one account, including these.
 */
async function requireRoom(
  trx: Transaction<Database>,
  account: Pick<AccountRow, 'id' | 'max_domains'>,
): Promise<number> {
  const domains = await findDomainsOfAccount(trx, account.id);
  const existing = domains.filter((domain) => domain.state === 'active').length;
  if (existing >= account.max_domains || domains.length >= DOMAINS_PER_ACCOUNT)
    throw new DomainError(
      'quota_exceeded',
      `Domain limit reached (${Math.min(account.max_domains, DOMAINS_PER_ACCOUNT)}).`,
    );
  return existing;
}

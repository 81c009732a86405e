import type { PasswordInput, PhpInput, RedirectInput } from '@innkeeper/contract';
import {
  type Database,
  type DomainDetails,
  findDomainsOfAccount,
  getDomainDetails,
  type SiteColumns,
  storeSite,
} from '@innkeeper/db';
import { DomainError, invalidField, siteFolder } from '@innkeeper/domain';
import type { Transaction } from 'kysely';
import { changedFields } from '../changed-fields.ts';
import type { ServiceContext } from '../context.ts';
import { changeDesired, type Written } from '../desired-state.ts';
import { passwordHashesOf } from '../passwords/password-hashes.ts';
import { scopeOf } from '../scope.ts';
import { type SiteView, siteView } from './get-site.ts';
import { phpColumnsOf, requireAllowedPhp, sitePhpOf } from './site-php.ts';

/** Null removes a setting. Omitted: no change. */
export interface SiteChange {
  https_redirect?: boolean;
  redirect?: RedirectInput | null;
  /** Below the home. */
  document_root?: string | null;
  password?: PasswordInput | null;
  /** All settings of PHP: an omitted one gets its default. */
  php?: PhpInput;
  /** Empties PHP's cache of compiled files: the account's PHP starts anew, after its current requests. */
  empties_php_cache?: true;
}

/**
 * Changes settings of a domain's site. Throws `not_found`, `precondition_failed` for a domain that is being removed, for
 * an alias (its site has the settings) and while the account is being terminated, and `invalid` for a redirect to a name
 * of the same site and for settings of PHP beyond what the operator or the account's memory allows.
 */
export async function changeSite(
  ctx: ServiceContext,
  { domain_id: id, ...change }: SiteChange & { domain_id: number },
): Promise<Written<SiteView>> {
  const { password } = change;
  const hash = password ? await passwordHashesOf(ctx).site(password.password) : null;
  const asked = { action: 'domain.settings', kind: 'domain', id } as const;
  return await changeDesired(ctx, asked, async (trx, account, now) => {
    const domain = await getDomainDetails(trx, scopeOf(ctx.actor), id);
    if (domain.state === 'removing')
      throw new DomainError('precondition_failed', 'This domain is being removed.');
    if (domain.alias_of !== null)
      throw new DomainError(
        'precondition_failed',
        'This name shows the site of another domain. Change the settings of that domain.',
      );
    if (change.redirect) await requireOtherSite(trx, domain, change.redirect);
    if (change.php) await requireAllowedPhp(trx, account, change.php);
    const wanted = columnsOf(domain, change, hash);
    const isSame = Object.entries(wanted).every(
      ([name, value]) => domain[name as keyof SiteColumns] === value,
    );
    const { domain_name } = domain;
    if (!isSame) await storeSite(trx, id, wanted, now);
    return {
      details: isSame
        ? null
        : { domain_name, ...changedFields(audited(domain), audited({ ...domain, ...wanted })) },
      view: () => siteView(trx, { ...domain, ...wanted }),
    };
  });
}

function columnsOf(
  { domain_name, php_cache_revision }: DomainDetails,
  { https_redirect, redirect, document_root, password, php, empties_php_cache }: SiteChange,
  hash: string | null,
): Partial<SiteColumns> {
  return {
    ...(https_redirect === undefined ? {} : { https_redirect: Number(https_redirect) }),
    ...(redirect === undefined
      ? {}
      : {
          redirect_url: redirect?.redirect_url ?? null,
          redirect_status: redirect?.redirect_status === '302' ? 302 : 301,
          redirect_keeps_path: Number(redirect?.redirect_keeps_path ?? false),
        }),
    ...(document_root === undefined
      ? {}
      : { document_root: document_root === siteFolder(domain_name) ? null : document_root }),
    ...(password === undefined
      ? {}
      : {
          password_folder: password?.password_folder ?? null,
          password_user: password?.password_user ?? null,
          password_hash: hash,
        }),
    ...(php === undefined ? {} : phpColumnsOf(php)),
    ...(empties_php_cache === true ? { php_cache_revision: php_cache_revision + 1 } : {}),
  };
}

/** Throws for a redirect that would meet itself: browsers give up, and visitors see an error. */
async function requireOtherSite(
  trx: Transaction<Database>,
  { id, account_id }: DomainDetails,
  { redirect_url, redirect_keeps_path }: RedirectInput,
): Promise<void> {
  const { hostname, search } = new URL(redirect_url);
  const domains = await findDomainsOfAccount(trx, account_id);
  const own = domains.filter((one) => one.id === id || one.alias_of === id);
  const isSite = (name: string) => domains.some(({ domain_name }) => domain_name === name);
  const names = own.flatMap(({ domain_name: name }) =>
    isSite(`www.${name}`) ? [name] : [name, `www.${name}`],
  );
  if (names.includes(hostname))
    throw invalidField(
      'redirect_url',
      `The redirect url field must lead to another site: ${hostname} is a name of this one.`,
    );
  if (redirect_keeps_path === true && search !== '')
    throw invalidField(
      'redirect_keeps_path',
      'The path cannot be kept: the redirect url has a query, which would stand before the path.',
    );
}

/** The columns for the audit log: no password. */
function audited(domain: DomainDetails): Readonly<Record<string, unknown>> {
  const { https_redirect, redirect_url, redirect_status, redirect_keeps_path } = domain;
  const { document_root, password_folder, password_user } = domain;
  return {
    https_redirect: https_redirect === 1,
    redirect_url,
    redirect_status,
    redirect_keeps_path: redirect_keeps_path === 1,
    document_root,
    password_folder,
    password_user,
    ...Object.fromEntries(Object.entries(sitePhpOf(domain)).map(([name, value]) => [`php_${name}`, value])),
    php_cache_revision: domain.php_cache_revision,
  };
}

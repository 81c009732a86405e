import { type Database, type DomainDetails, findDomainsOfAccount, getDomainDetails } from '@innkeeper/db';
import type { Kysely } from 'kysely';
import type { ServiceContext } from '../context.ts';
import { scopeOf } from '../scope.ts';

/** A name of an account. */
interface SiteName {
  id: number;
  domain_name: string;
}

/** What the owner of a site has set. Nobody reads a password again. */
export interface SiteView {
  domain_id: number;
  https_redirect: boolean;
  redirect: { url: string; status: 301 | 302; keeps_path: boolean } | null;
  /** Below the home. Null: the folder of the domain. */
  document_root: string | null;
  /** `folder` is null if the whole site asks for the password. */
  password: { folder: string | null; user: string } | null;
  /** The domain whose site this name shows. Null: it has a site of its own, which the settings are about. */
  alias_of: SiteName | null;
  /** Other names that show this site. */
  aliases: SiteName[];
}

/** The settings of a domain's site. Throws `not_found`. */
export async function getSite(ctx: ServiceContext, { domain_id }: { domain_id: number }): Promise<SiteView> {
  return await siteView(ctx.db, await getDomainDetails(ctx.db, scopeOf(ctx.actor), domain_id));
}

export async function siteView(db: Kysely<Database>, domain: DomainDetails): Promise<SiteView> {
  const domains = await findDomainsOfAccount(db, domain.account_id);
  const named = ({ id, domain_name }: SiteName): SiteName => ({ id, domain_name });
  const shown = domains.find(({ id }) => id === domain.alias_of);
  const { redirect_url: url, password_user: user } = domain;
  return {
    domain_id: domain.id,
    https_redirect: domain.https_redirect === 1,
    redirect:
      url === null
        ? null
        : { url, status: domain.redirect_status, keeps_path: domain.redirect_keeps_path === 1 },
    document_root: domain.document_root,
    password: user === null ? null : { folder: domain.password_folder, user },
    alias_of: shown === undefined ? null : named(shown),
    aliases: domains.filter(({ alias_of, state }) => alias_of === domain.id && state === 'active').map(named),
  };
}

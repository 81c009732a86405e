import type { SpecRecord } from '@innkeeper/db';
import type { SiteSettings } from '@innkeeper/protocol';
import { sitePhpOf } from './site-php.ts';

/** The settings of a site as its node must know them. */
export function siteSpec(domain: SpecRecord<'domains'>): SiteSettings {
  const { redirect_url, password_user, password_hash } = domain;
  return {
    keeps_http: domain.https_redirect === 0,
    redirect:
      redirect_url === null
        ? null
        : {
            url: redirect_url,
            status: domain.redirect_status,
            keeps_path: domain.redirect_keeps_path === 1,
          },
    document_root: domain.document_root,
    password:
      password_user === null || password_hash === null
        ? null
        : { folder: domain.password_folder, user: password_user, hash: password_hash },
    php: { ...sitePhpOf(domain), cache_revision: domain.php_cache_revision },
  };
}

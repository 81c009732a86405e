import type { DomainListItem, DomainView } from '@innkeeper/contract';
import type { DomainDetails } from '@innkeeper/db';
import { homePath, siteFolder } from '@innkeeper/domain';

export function domainListItem(domain: DomainDetails): DomainListItem {
  return {
    id: domain.id,
    domain_name: domain.domain_name,
    hosting_account_id: domain.account_id,
    is_primary: domain.is_primary === 1,
    document_root: documentRootOf(domain),
    status: domain.state === 'removing' ? 'removing' : domain.status,
    status_reason: domain.status_reason,
    ssl: {
      status: domain.ssl_status,
      issuer: domain.ssl_issuer,
      expires_at: domain.ssl_expires_at,
      error: domain.ssl_error,
    },
    created_at: domain.created_at,
    updated_at: domain.updated_at,
  };
}

export function domainView(domain: DomainDetails): DomainView {
  return {
    ...domainListItem(domain),
    hosting_account: { id: domain.account_id, username: domain.account_username },
  };
}

/** The folder whose files the domain shows. */
function documentRootOf(domain: DomainDetails): string {
  const { alias_of, account_linux_user, shown_domain_name, shown_document_root } = domain;
  const isAlias = alias_of !== null && shown_domain_name !== null;
  const name = isAlias ? shown_domain_name : domain.domain_name;
  const set = isAlias ? shown_document_root : domain.document_root;
  return `${homePath(account_linux_user)}/${set ?? siteFolder(name)}`;
}

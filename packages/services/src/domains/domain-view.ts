import type { DomainListItem, DomainView } from '@innkeeper/contract';
import type { DomainDetails } from '@innkeeper/db';
import { documentRoot } from '@innkeeper/domain';

export function domainListItem(domain: DomainDetails): DomainListItem {
  return {
    id: domain.id,
    domain_name: domain.domain_name,
    hosting_account_id: domain.account_id,
    is_primary: domain.is_primary === 1,
    document_root: documentRoot(domain.account_linux_user, domain.domain_name),
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

import type { DomainDetails } from '@innkeeper/db';
import { documentRoot } from '@innkeeper/domain';

interface SslView {
  /** State of the last requested certificate: `none` without a request, `pending` until the node reports a result. */
  status: 'none' | 'pending' | 'active' | 'failed';
  /** Of the certificate that serves, also while another one is pending or has failed; null: none does. */
  issuer: string | null;
  expires_at: Date | null;
  /** The authority's own words. */
  error: string | null;
}

export interface DomainListItem {
  id: number;
  domain_name: string;
  hosting_account_id: number;
  is_primary: boolean;
  document_root: string;
  /** `pending` until the first report of the node, `removing` until it is gone. */
  status: 'pending' | 'active' | 'suspended' | 'failed' | 'removing';
  status_reason: string | null;
  ssl: SslView;
  created_at: Date;
  updated_at: Date;
}

export interface DomainView extends DomainListItem {
  hosting_account: { id: number; username: string };
}

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

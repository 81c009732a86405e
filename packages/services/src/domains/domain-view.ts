import type { DomainDetails } from '@innkeeper/db';
import { documentRoot } from '@innkeeper/domain';

interface SslView {
  /**
   * Status of the last requested certificate. `none`: none was requested. `pending`: the node has not reported a
   * result.
   */
  status: 'none' | 'pending' | 'active' | 'failed';
  /**
   * Issuer of the active certificate, also while a newer one is pending or has failed. Null: there is no active
   * certificate.
   */
  issuer: string | null;
  expires_at: Date | null;
  /** Error message of the certificate authority. */
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

import type { ColumnType, Generated } from 'kysely';
import type { NullByDefault } from './null-by-default.ts';

type SslStatus = 'none' | 'pending' | 'active' | 'failed';

export interface DomainsTable {
  id: Generated<number>;
  account_id: number;
  /** Unique in the whole fleet until the row is deleted. */
  domain_name: string;
  /** The labels in reverse order (`com.example.shop`), so that finding subdomains is a prefix search. */
  reversed_name: string;
  is_primary: ColumnType<number, number | boolean, number | boolean>;
  /** `removing` is a tombstone: the row is deleted after the node has removed the name. */
  state: 'active' | 'removing';
  /** Status of the node's last report. */
  status: 'pending' | 'active' | 'suspended' | 'failed';
  status_reason: string | null;
  /** Above 0: a certificate is wanted. Raised to request a new one. */
  certificate_revision: ColumnType<number, number | undefined, number>;
  /** Certificate status of the node's last report. */
  ssl_status: ColumnType<SslStatus, SslStatus | undefined, SslStatus>;
  ssl_issuer: NullByDefault<string>;
  ssl_expires_at: NullByDefault<Date>;
  /** When the node first reported the active certificate. */
  ssl_issued_at: NullByDefault<Date>;
  ssl_error: NullByDefault<string>;
  /** When the DNS of a domain without a certificate is looked up next. Null: never again. */
  dns_next_look_at: ColumnType<Date | null, Date | null | undefined, Date | null>;
  dns_looked_at: NullByDefault<Date>;
  /** Number of looks that did not lead to a certificate. The pause between looks grows with it. */
  dns_looks: Generated<number>;
  /** Addresses of the last look, separated by commas; empty for a name without any. Null: DNS did not answer. */
  dns_found: NullByDefault<string>;
  /** Why the last look led to no certificate, although the name led here or because DNS did not answer. */
  dns_error: NullByDefault<string>;
  created_at: ColumnType<Date, Date, never>;
  updated_at: ColumnType<Date, Date, Date>;
}

/**
 * One row for each registrable name (`example.co.uk`) that ever had a domain. Every transaction that adds a name below
 * it locks the row first, so that two accounts cannot add a name and its parent at the same time.
 */
export interface DomainTreesTable {
  registrable_name: string;
}

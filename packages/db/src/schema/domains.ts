import type { ColumnType, Generated } from 'kysely';
import type { NullByDefault } from './null-by-default.ts';

type SslStatus = 'none' | 'pending' | 'active' | 'failed';

export interface DomainsTable {
  id: Generated<number>;
  account_id: number;
  /** Unique in the whole fleet until the row is gone. */
  domain_name: string;
  /** The labels from the last to the first (`com.example.shop`): names below one are a prefix search. */
  reversed_name: string;
  is_primary: ColumnType<number, number | boolean, number | boolean>;
  /** `removing` is a tombstone: the node has to take the name away before the row goes. */
  state: 'active' | 'removing';
  /** What the node last said. */
  status: 'pending' | 'active' | 'suspended' | 'failed';
  status_reason: string | null;
  /** A certificate is wanted when this is above 0; raised to ask for another. */
  certificate_revision: ColumnType<number, number | undefined, number>;
  certificate_email: NullByDefault<string>;
  /** What the node last said of the certificate. */
  ssl_status: ColumnType<SslStatus, SslStatus | undefined, SslStatus>;
  ssl_issuer: NullByDefault<string>;
  ssl_expires_at: NullByDefault<Date>;
  /** When the node first told of the certificate that serves. */
  ssl_issued_at: NullByDefault<Date>;
  ssl_error: NullByDefault<string>;
  created_at: ColumnType<Date, Date, never>;
  updated_at: ColumnType<Date, Date, Date>;
}

/**
 * One row for each registrable name (`example.co.uk`) that ever had a domain. Whoever adds a name below
 * it locks the row first, so that two accounts cannot take a name and one above it at the same time.
 */
export interface DomainTreesTable {
  registrable_name: string;
}

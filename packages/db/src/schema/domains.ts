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
  /** When the first failed attempt in a row was reported. */
  ssl_failing_since: NullByDefault<Date>;
  /** When a failed attempt is made again at the earliest. */
  ssl_next_attempt_at: NullByDefault<Date>;
  ssl_error: NullByDefault<string>;
  /** The domain of the same account whose site is shown under this name too. Null: it has a site of its own. */
  alias_of: NullByDefault<number>;
  /** Whether HTTP is redirected to HTTPS while the site has a certificate. */
  https_redirect: ColumnType<number, number | undefined, number>;
  /** Null: the site does not redirect. */
  redirect_url: NullByDefault<string>;
  redirect_status: ColumnType<301 | 302, 301 | 302 | undefined, 301 | 302>;
  redirect_keeps_path: ColumnType<number, number | undefined, number>;
  /** Below the home. Null: the folder of the domain. */
  document_root: NullByDefault<string>;
  /** A folder of the site. Null: all of it. */
  password_folder: NullByDefault<string>;
  /** Null: the site asks for no password. */
  password_user: NullByDefault<string>;
  /** crypt(3). */
  password_hash: NullByDefault<string>;
  /** Settings of PHP. Null: the default. In MiB. */
  php_memory_limit_mb: NullByDefault<number>;
  php_upload_mb: NullByDefault<number>;
  /** In seconds. */
  php_execution_s: NullByDefault<number>;
  php_input_vars: NullByDefault<number>;
  php_display_errors: ColumnType<number, number | undefined, number>;
  /** A name of the IANA database. */
  php_time_zone: NullByDefault<string>;
  /** Raised to empty the cache of compiled files. */
  php_cache_revision: ColumnType<number, number | undefined, number>;
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

import type { AccountLimits } from '@innkeeper/domain';
import type { ColumnType, Generated, GeneratedAlways } from 'kysely';

/** A package's limits have the same names as an account's. */
export interface PackagesTable extends AccountLimits {
  id: Generated<number>;
  /** The reseller that owns the package. Null: the admin. */
  owner_user_id: number | null;
  /** The owner's id, 0 for the admin. Makes the slug unique per owner. The database computes it. */
  owner_key: GeneratedAlways<number>;
  name: string;
  slug: string;
  terminal_access: ColumnType<number, number | boolean, number | boolean>;
  /** Whether its accounts may connect to port 25 of other servers. */
  smtp_port_25: ColumnType<number, number | boolean | undefined, number | boolean>;
  /** How many FTP and SFTP logins an account may have. */
  max_ftp_logins: ColumnType<number, number | undefined, number>;
  /** Most recipients of mail of each account; 0: none. */
  mail_per_hour: Generated<number>;
  mail_per_day: Generated<number>;
  is_active: ColumnType<number, number | boolean, number | boolean>;
  /** The package for accounts with custom limits. Never listed. */
  is_internal: ColumnType<number, number | boolean, number | boolean>;
  created_at: ColumnType<Date, Date, never>;
  updated_at: ColumnType<Date, Date, Date>;
}

/** Admin packages that a reseller may sell. */
export interface ResellerPackagesTable {
  reseller_user_id: number;
  package_id: number;
}

import type { PackageView } from '@innkeeper/contract';
import type { PackageForOperator, PackageRow } from '@innkeeper/db';
import { packageLimitsOf } from '@innkeeper/domain';

export interface OperatorPackageView extends PackageView {
  is_internal: boolean;
  /** The reseller that owns the package; null: the admin. */
  owner: string | null;
  /** Resellers, other than the owner, that can sell it. */
  assigned_resellers: string[];
  accounts: number;
  /** How many FTP and SFTP logins an account may have. Not in the API. */
  max_ftp_logins: number;
  /** Most recipients of mail of each account; 0: none. */
  mail_per_hour: number;
  mail_per_day: number;
}

export function packageView(row: PackageRow): PackageView {
  return {
    id: row.id,
    name: row.name,
    slug: row.slug,
    ...packageLimitsOf(row),
    terminal_access: row.terminal_access === 1,
    smtp_port_25: row.smtp_port_25 === 1,
    is_active: row.is_active === 1,
  };
}

export function operatorPackageView(
  row: PackageForOperator,
  assignedResellers: string[],
): OperatorPackageView {
  return {
    ...packageView(row),
    is_internal: row.is_internal === 1,
    owner: row.owner_username,
    assigned_resellers: assignedResellers,
    accounts: row.account_count,
    max_ftp_logins: row.max_ftp_logins,
    mail_per_hour: row.mail_per_hour,
    mail_per_day: row.mail_per_day,
  };
}

import { type AccountRow, type Database, findDomainsOfAccounts } from '@innkeeper/db';
import { type AccountState, uidForAccountId } from '@innkeeper/domain';
import type { AccountSpec, DesiredState } from '@innkeeper/protocol';
import type { Kysely } from 'kysely';

const desiredStates: Record<AccountState, DesiredState> = {
  active: 'active',
  suspended: 'suspended',
  terminating: 'absent',
};

/**
 * What a node must know to make these accounts true, in the order of the rows; one statement. An agent
 * refuses a generation that it knows with other content: read rows and specs from one snapshot, and let no
 * write change what stands here without raising the generation.
 */
export async function accountSpecsFor(
  db: Kysely<Database>,
  accounts: readonly AccountRow[],
): Promise<AccountSpec[]> {
  const ids = accounts.map((account) => account.id);
  const domains = Map.groupBy(await findDomainsOfAccounts(db, ids), (domain) => domain.account_id);
  return accounts.map((account) => ({
    account_id: account.id,
    generation: account.generation,
    desired_state: desiredStates[account.state],
    linux_user: account.linux_user,
    uid: account.uid ?? uidForAccountId(account.id),
    terminal_access: account.terminal_access === 1,
    password_hash: account.linux_password_hash,
    limits: {
      disk_mb: account.disk_limit_mb,
      bandwidth_mb: account.bandwidth_limit_mb,
      cpu_percent: account.cpu_limit_percent,
      ram_mb: account.ram_limit_mb,
      io_read_mbps: account.io_read_mbps,
      io_write_mbps: account.io_write_mbps,
      iops: account.iops,
      max_processes: account.max_processes,
    },
    domains: (domains.get(account.id) ?? []).map((domain) => ({
      domain_id: domain.id,
      name: domain.domain_name,
      is_primary: domain.is_primary === 1,
      desired_state: domain.state === 'removing' ? 'absent' : 'active',
    })),
  }));
}

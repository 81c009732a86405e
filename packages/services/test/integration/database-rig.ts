import type { Database } from '@innkeeper/db';
import type { AccountLimits } from '@innkeeper/domain';
import type { AccountReport } from '@innkeeper/protocol';
import { createApp, type NewApp } from '@innkeeper/services';
import type { Kysely } from 'kysely';
import { beforeAll } from 'vitest';
import { actor, addOnlineNode, addPackage, open, reportNewest } from './fixtures.ts';
import { ownDatabase, rowsWhere } from './records.ts';

/** For a test file: a separate database, with a node that accepts accounts and a package for them. */
export function useDatabaseRig(inPackage: Parameters<typeof addPackage>[1] = {}) {
  const database = ownDatabase();
  let packageId: number;
  beforeAll(async () => {
    await addOnlineNode(database.db);
    packageId = await addPackage(database.db, inPackage);
  });

  const admin = () => actor(database.db);

  return {
    get db(): Kysely<Database> {
      return database.db;
    },
    get packageId(): number {
      return packageId;
    },
    /** The actor of `innctl`, as a context that records its wakes. */
    admin,
    /** Creates an account with the package and returns its id. */
    async newAccount(limits: Partial<AccountLimits> = {}): Promise<number> {
      return (await open(admin(), { package_id: packageId, ...limits })).accountId;
    },
    /** Creates a Node.js app on a new account. */
    async newApp(input: Partial<NewApp> = {}): Promise<{ account_id: number; app_id: number }> {
      const { accountId } = await open(admin(), { package_id: packageId });
      const app = { hosting_account_id: accountId, template_key: 'nodejs', name: 'Shop', env: new Map() };
      return { account_id: accountId, app_id: (await createApp(admin(), { ...app, ...input })).view.id };
    },
    /** Reports the status of an app and the release that it serves, as its node. */
    reportApp(
      { account_id, app_id }: { account_id: number; app_id: number },
      status: AccountReport['apps'][number]['status'],
      release_id: number | null = null,
    ) {
      return reportNewest(database.db, account_id, { apps: [{ app_id, status, reason: '', release_id }] });
    },
    /** Returns the newest audit log entry of an account, with its details. */
    async newestAudit(accountId: number) {
      const row = (await rowsWhere(database.db, 'audit_log', { account_id: accountId })).at(-1);
      return { action: row?.action, target: row?.target, ...JSON.parse(row?.details ?? '{}') };
    },
  };
}

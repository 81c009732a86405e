import type { Database } from '@innkeeper/db';
import type { AccountLimits } from '@innkeeper/domain';
import { createTestDatabase, type TestDatabase } from '@innkeeper/testkit';
import type { Kysely } from 'kysely';
import { afterAll, beforeAll } from 'vitest';
import { actor, addOnlineNode, addPackage, open } from './fixtures.ts';

/** For a test file: a separate database, with a node that accepts accounts and a package for them. */
export function useDatabaseRig(inPackage: Parameters<typeof addPackage>[1] = {}) {
  let database: TestDatabase;
  let packageId: number;

  beforeAll(async () => {
    database = await createTestDatabase();
    await addOnlineNode(database.db);
    packageId = await addPackage(database.db, inPackage);
  });
  afterAll(() => database.drop());

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
    /** Returns the newest audit log entry of an account, with its details. */
    async newestAudit(accountId: number) {
      const row = await database.db
        .selectFrom('audit_log')
        .select(['action', 'target', 'details'])
        .where('account_id', '=', accountId)
        .orderBy('id', 'desc')
        .limit(1)
        .executeTakeFirstOrThrow();
      return { action: row.action, target: row.target, ...JSON.parse(row.details) };
    },
  };
}

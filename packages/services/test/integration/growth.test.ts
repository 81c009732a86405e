import { getGrowth, type OperatorContext, storeReport, terminateAccount } from '@innkeeper/services';
import { beforeAll, expect, test } from 'vitest';
import { actor, addOnlineNode, addPackage, addReseller, open, rowOf, session_id } from './fixtures.ts';
import { ownDatabase, reportOf } from './records.ts';

const database = ownDatabase();
let admin: OperatorContext;
let package_id: number;
let reseller: Awaited<ReturnType<typeof addReseller>>;

const at = (ctx: OperatorContext, time: string): OperatorContext => ({ ...ctx, now: () => new Date(time) });
const create = async (ctx: OperatorContext, time: string) =>
  (await open(at(ctx, time), { package_id })).view.id;

async function remove(ctx: OperatorContext, id: number, time: string): Promise<void> {
  await terminateAccount(at(ctx, time), { account_id: id });
  const { node_id, generation } = await rowOf(database.db, id);
  const report = reportOf(id, { observed_generation: generation, outcome: 'absent' });
  await storeReport(database.db, { node_id, session_id, report, now: new Date(time) });
}

const growthOf = async (ctx: OperatorContext) => {
  const { total, days } = await getGrowth(at(ctx, '2026-11-24T12:00:00Z'));
  expect(days).toHaveLength(30);
  const changed = days.filter(({ created, removed }) => created + removed > 0);
  return { total, days: changed.map((day) => ({ ...day, at: day.at.toISOString().slice(0, 10) })) };
};

beforeAll(async () => {
  admin = actor(database.db);
  await addOnlineNode(database.db);
  reseller = await addReseller(database.db);
  package_id = await addPackage(database.db, { resellers: [reseller.username] });
});

test('growth counts created and removed accounts by UTC day, from midnight to midnight, each in its scope', async () => {
  await create(admin, '2026-10-25T23:59:59Z');
  await create(admin, '2026-10-26T00:00:00Z');
  const own = await create(reseller, '2026-11-23T23:59:59Z');
  const short = await create(admin, '2026-11-24T00:00:00Z');
  await create(reseller, '2026-11-24T11:00:00Z');
  await remove(admin, short, '2026-11-24T11:30:00Z');
  await remove(reseller, own, '2026-11-24T11:30:00Z');

  expect(await growthOf(admin)).toEqual({
    total: 3,
    days: [
      { at: '2026-10-26', created: 1, removed: 0 },
      { at: '2026-11-23', created: 1, removed: 0 },
      { at: '2026-11-24', created: 2, removed: 2 },
    ],
  });
  expect(await growthOf(reseller)).toEqual({
    total: 1,
    days: [
      { at: '2026-11-23', created: 1, removed: 0 },
      { at: '2026-11-24', created: 1, removed: 1 },
    ],
  });
});

import { createApp, createDomain, getInstallChoices, removeApp, removeDomain } from '@innkeeper/services';
import { expect, test } from 'vitest';
import { useDatabaseRig } from './database-rig.ts';
import { actor, addReseller, open } from './fixtures.ts';
import { fresh } from './records.ts';
import { expectRefusal } from './refusals.ts';

const rig = useDatabaseRig();

test('the choices for a new app are the Node.js versions of its server and the domains without an app', async () => {
  const ctx = actor(rig.db);
  const account_id = (await open(ctx, { package_id: rig.packageId })).accountId;
  const add = async (prefix: string) =>
    (await createDomain(ctx, { hosting_account_id: account_id, domain_name: `${fresh(prefix)}.example.com` }))
      .view;
  const [free, taken, going] = [await add('z'), await add('m'), await add('a')];
  const app = { hosting_account_id: account_id, template_key: 'php', name: 'Site', env: new Map() };
  const { view } = await createApp(ctx, { ...app, domain_id: taken.id });
  await removeDomain(ctx, { domain_id: going.id });
  const another = await add('b');
  await rig.db.updateTable('nodes').set({ node_versions: '["20","22"]' }).execute();
  const named = ({ id, domain_name }: { id: number; domain_name: string }) => ({ id, domain_name });
  const choices = () => getInstallChoices(ctx, { account_id });
  expect(await choices()).toEqual({ domains: [another, free].map(named), node_versions: ['20', '22'] });
  // The app keeps its domain until it is gone.
  await removeApp(ctx, { app_id: view.id });
  expect((await choices()).domains).toEqual([another, free].map(named));
  await rig.db.updateTable('nodes').set({ node_versions: null }).execute();
  expect((await choices()).node_versions).toEqual([]);
  const stranger = await addReseller(rig.db);
  await expectRefusal(getInstallChoices(stranger, { account_id }), 'not_found');
});

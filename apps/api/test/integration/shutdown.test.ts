import { waitUntil } from '@innkeeper/testkit';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type ControlPlaneRig, startControlPlaneRig } from './control-plane-rig.ts';

let rig: ControlPlaneRig;
beforeAll(async () => {
  rig = await startControlPlaneRig();
});
afterAll(() => rig?.stop());

it('a create that waits for its node is answered with what is committed when the process stops', async () => {
  rig.node.behaviour.tell = () => undefined;
  const body = {
    username: 'interrupted',
    name: 'I',
    email: 'i@example.com',
    password: 'correct horse',
    package_id: rig.packages.small,
  };
  const creating = rig.ask('createAccount', { body });
  await waitUntil('the commit', () =>
    rig.db.selectFrom('accounts').select('id').where('username', '=', 'interrupted').executeTakeFirst(),
  );
  const startedAt = performance.now();
  const stopping = rig.stopControlPlane();
  const reply = await creating;
  expect([reply.status, reply.body.data.synced]).toEqual([201, false]);
  expect(reply.headers.get('Connection')).toBe('close');
  await stopping;
  expect(performance.now() - startedAt).toBeLessThan(5_000);
  await expect(rig.ask('health')).rejects.toThrow();
});

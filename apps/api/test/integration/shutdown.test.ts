import { waitUntil } from '@innkeeper/testkit';
import { expect, it } from 'vitest';
import { useControlPlaneRig } from './control-plane-rig.ts';

const rig = useControlPlaneRig();

it('a stopping process answers a create that waits for its node with the committed state', async () => {
  rig.node.behaviour.tell = () => undefined;
  const body = rig.accountFields();
  const creating = rig.ask('createAccount', { body });
  await waitUntil('the commit', () =>
    rig.db.selectFrom('accounts').select('id').where('username', '=', body.username).executeTakeFirst(),
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

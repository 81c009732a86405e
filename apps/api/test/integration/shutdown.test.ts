import { waitUntil } from '@innkeeper/testkit';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Panel, startPanel } from './panel.ts';

let panel: Panel;
beforeAll(async () => {
  panel = await startPanel();
});
afterAll(() => panel?.stop());

it('a create that waits for its node is answered with what is committed when the process stops', async () => {
  panel.node.behaviour.tell = () => undefined;
  const body = {
    username: 'interrupted',
    name: 'I',
    email: 'i@example.com',
    password: 'correct horse',
    package_id: panel.packages.small,
  };
  const creating = panel.ask('createAccount', { body });
  await waitUntil('the commit', () =>
    panel.db.selectFrom('accounts').select('id').where('username', '=', 'interrupted').executeTakeFirst(),
  );
  const startedAt = performance.now();
  const stopping = panel.stopControlPlane();
  const reply = await creating;
  expect([reply.status, reply.body.data.synced]).toEqual([201, false]);
  expect(reply.headers.get('Connection')).toBe('close');
  await stopping;
  expect(performance.now() - startedAt).toBeLessThan(5_000);
  await expect(panel.ask('health')).rejects.toThrow();
});

import { createAdmin } from '@innkeeper/services';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { PageVisitor } from './page-visitor.ts';
import { type Panel, startPanel } from './panel.ts';

let panel: Panel;
beforeAll(async () => {
  panel = await startPanel();
  await createAdmin(panel.operator, {
    username: 'ada',
    email: 'ada@example.com',
    password: 'correct horse',
  });
});
afterAll(() => panel?.stop());

it('leads a visitor to the sign-in, and then to the page that was asked for', async () => {
  const visitor = new PageVisitor(panel.origin);
  expect(await visitor.open('/nowhere')).toMatchObject({ status: 404 });
  expect((await visitor.open('/?a=1')).path).toBe('/login');
  const refused = await visitor.send('/login', { username: 'ada', password: 'wrong horse' });
  expect(refused).toMatchObject({ status: 422, path: '/login' });
  expect(refused.text).toContain('These credentials do not match our records.');
  expect(refused.html).not.toContain('wrong horse');
  const { path } = await visitor.send('/login', { username: 'ada', password: 'correct horse' });
  expect(path).toBe('/accounts');
});

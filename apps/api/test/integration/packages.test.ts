import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Panel, startPanel } from './panel.ts';

let panel: Panel;
beforeAll(async () => {
  panel = await startPanel();
});
afterAll(() => panel?.stop());

const names = async (token: string) =>
  (await panel.ask('listPackages', { token })).body.data.map(({ name }: { name: string }) => name);

it('are listed as they may be sold, and the internal one never', async () => {
  expect(await names(panel.adminToken)).toEqual(['Small', 'Large', 'Admin only']);
  expect(await names(panel.resellerToken)).toEqual(['Small', 'Large']);
});

it('are shown; one that a reseller may not sell is forbidden, one that is none is not there', async () => {
  const show = (id: number, token = panel.adminToken) => panel.ask('getPackage', { id, token });
  expect((await show(panel.packages.large)).body.data).toMatchObject({
    name: 'Large',
    disk_mb: 5_000,
    io_read_mbps: null,
    terminal_access: true,
    smtp_port_25: false,
    is_active: true,
  });
  const forbidden = await show(panel.packages.adminOnly, panel.resellerToken);
  expect([forbidden.status, forbidden.body]).toEqual([403, { message: 'This action is unauthorized.' }]);
  expect((await show(4_242, panel.resellerToken)).status).toBe(404);
});

import { afterAll, beforeAll, expect, it } from 'vitest';
import { type ControlPlaneRig, startControlPlaneRig } from './control-plane-rig.ts';

let rig: ControlPlaneRig;
beforeAll(async () => {
  rig = await startControlPlaneRig();
});
afterAll(() => rig?.stop());

const names = async (token: string) =>
  (await rig.ask('listPackages', { token })).body.data.map(({ name }: { name: string }) => name);

it('are listed as they may be sold, and the internal one never', async () => {
  expect(await names(rig.adminToken)).toEqual(['Small', 'Large', 'Admin only']);
  expect(await names(rig.resellerToken)).toEqual(['Small', 'Large']);
});

it('are shown; one that a reseller may not sell is forbidden, one that is none is not there', async () => {
  const show = (id: number, token = rig.adminToken) => rig.ask('getPackage', { id, token });
  expect((await show(rig.packages.large)).body.data).toMatchObject({
    name: 'Large',
    disk_mb: 5_000,
    io_read_mbps: null,
    terminal_access: true,
    smtp_port_25: false,
    is_active: true,
  });
  const forbidden = await show(rig.packages.adminOnly, rig.resellerToken);
  expect([forbidden.status, forbidden.body]).toEqual([403, { message: 'This action is unauthorized.' }]);
  expect((await show(4_242, rig.resellerToken)).status).toBe(404);
});

import { join } from 'node:path';
import { startVirtualMachine, testInstallation, type VirtualMachine } from '@innkeeper/testkit/machine';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { bundleProgram } from './bundle-program.ts';
import type { DiskQuotaAnswer, DiskQuotaJob } from './disk-quota-program.ts';

/** Where the file system of the homes has quotas: a kernel that knows them is in a virtual machine alone. */
const NODE = join(import.meta.dirname, '../../../../dist/agent/node');
const owner = { name: 'hoarder', uid: 20_001 };
const home = `/home/${owner.name}`;
const LIMIT_KIB = 20_480;

let server: VirtualMachine;

beforeAll(async () => {
  const { state } = await testInstallation();
  server = await startVirtualMachine(state, 'disk-quota', {
    onStage: (stage) => console.log(`virtual machine: ${stage}`),
  });
  await server.copyIn(NODE, '/usr/local/bin/node');
  await server.writeFile('/root/disk-quota.mjs', await bundleProgram('disk-quota-program.ts'));
  await server.require(['install', '-d', '-o', String(owner.uid), '-g', String(owner.uid), home]);
}, 900_000);

afterAll(async () => {
  await server?.stop();
});

beforeEach(async () => {
  await server.require(['find', home, '-mindepth', '1', '-delete']);
  await limit(LIMIT_KIB);
});

const limit = (kib: number) =>
  server.require(['setquota', '-u', String(owner.uid), '0', String(kib), '0', '0', '/home']);

/** Writes so much into a file of the account, as the account. */
const write = (mib: number) => {
  const uid = String(owner.uid);
  const dd = ['dd', 'if=/dev/zero', `of=${home}/file`, 'bs=1M', `count=${mib}`, 'conv=fsync'];
  return server.exec(['setpriv', '--reuid', uid, '--regid', uid, '--clear-groups', ...dd]);
};

/** The account's line in the report: KiB that are used, and the limit. */
const reported = async () => {
  const report = await server.require(['repquota', '-u', '-n', '-O', 'csv', '/home']);
  const fields = report
    .split('\n')
    .find((line) => line.startsWith(`#${owner.uid},`))
    ?.split(',');
  return { usedKib: Number(fields?.[3]), limitKib: Number(fields?.[5]) };
};

/** What the agent's own tools say. */
const ask = async (job: DiskQuotaJob): Promise<DiskQuotaAnswer> => {
  const input = JSON.stringify(job);
  return JSON.parse(await server.require(['node', '/root/disk-quota.mjs'], { input })) as DiskQuotaAnswer;
};

describe('a disk limit of the file system', () => {
  test('is kept for /home', async () => {
    const { stdout } = await server.exec(['quotaon', '-p', '-u', '/home']);
    expect(stdout).toBe('user quota on /home (/dev/vdb) is on\n');
    expect(await server.readFile('/proc/mounts')).toMatch(/^\/dev\/vdb \/home ext4 \S*\busrquota\b/m);
  });

  test('stops a write of the account there, and no sooner', async () => {
    const { exitCode, stderr } = await write(LIMIT_KIB / 1024 + 20);
    expect({ exitCode, stderr }).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('Disk quota exceeded'),
    });
    const { usedKib, limitKib } = await reported();
    expect(limitKib).toBe(LIMIT_KIB);
    expect(usedKib).toBeLessThanOrEqual(LIMIT_KIB);
    expect(usedKib).toBeGreaterThan(LIMIT_KIB - 1024);
  });

  test('counts what the agent measures', async () => {
    expect(await write(10)).toMatchObject({ exitCode: 0 });
    const { usedKib } = await reported();
    expect(usedKib).toBeGreaterThanOrEqual(10 * 1024);
    const { measured } = await ask({ measure: [{ owner, databases: [] }] });
    expect(measured).toEqual([[owner.uid, usedKib * 1024]]);
  });

  test('that is lifted lets the account write on', async () => {
    await limit(0);
    expect(await write(LIMIT_KIB / 1024 + 20)).toMatchObject({ exitCode: 0 });
    expect((await reported()).usedKib).toBeGreaterThan(LIMIT_KIB);
  });
});

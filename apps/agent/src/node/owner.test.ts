import { expect, test } from 'vitest';
import { FileSystemQuota } from '../capabilities/disk/disk-quota.ts';
import { HomeFolders } from '../capabilities/home/homes.ts';
import { PhpFpm } from '../capabilities/php/php.ts';
import { ProcFs } from '../capabilities/slice/processes.ts';
import { AccountFiles } from '../capabilities/user/account-database.ts';
import { Nginx } from '../capabilities/web/nginx.ts';
import { AccountChild } from './account-child.ts';
import { KernelCgroups } from './cgroups.ts';
import { Changes } from './changes.ts';
import { Exec } from './exec.ts';
import { FilesAsUser } from './files-as-user.ts';
import { createLookAsUsers } from './look-as-users.ts';
import type { Owner } from './owner.ts';
import { assertOwner } from './owner.ts';
import { Systemctl } from './systemd.ts';

const changes = new Changes();
const exec = new Exec(changes);
const child = new AccountChild(exec);
exec.run = async () => {
  throw new Error('a program was run');
};

const look = createLookAsUsers(exec);
const homes = () => new HomeFolders(exec, look, changes, 33, '/x');

/** Everything of the real host that acts on an account, by what it would do to this one. */
const nginxTools = {
  exec,
  changes,
  placed: { repair: async () => ({ restored: [], wrong: [] }) },
  ask: async () => '',
  now: () => 0,
};
const tools: Record<string, (owner: Owner) => unknown> = {
  'accounts.find': (owner) => new AccountFiles(exec, changes).find(owner),
  'accounts.edit': (owner) => new AccountFiles(exec, changes).edit({ kind: 'remove', accountId: 1, owner }),
  'homes.create': (owner) => homes().create(owner),
  'homes.repairAccess': (owner) => homes().repairAccess(owner),
  'homes.missing': (owner) => homes().missing(owner, ['a']),
  'homes.createFolders': (owner) => homes().createFolders(owner, ['a'], '0700'),
  'homes.createDocumentRoot': (owner) => homes().createDocumentRoot(owner, 'a'),
  'homes.remove': (owner) => homes().remove(owner),
  'cgroups.kill': ({ uid }) => new KernelCgroups(changes).kill(uid),
  'cgroups.remove': ({ uid }) => new KernelCgroups(changes).remove(uid),
  'quota.limitOf': (owner) => new FileSystemQuota(exec).limitOf(owner),
  'quota.setLimit': (owner) => new FileSystemQuota(exec).setLimit(owner, 1_024),
  'processes.kill': (owner) => new ProcFs(child, async () => {}).kill(owner),
  'php.writeConfig': (owner) => new PhpFpm(new Systemctl(exec), changes, 33).writeConfig(owner, ''),
  'php.enable': (owner) => new PhpFpm(new Systemctl(exec), changes, 33).enable(owner),
  'php.stop': (owner) => new PhpFpm(new Systemctl(exec), changes, 33).stop(owner),
  'web.publish': (owner) => new Nginx(nginxTools).publish(owner, []),
};

const strangers: Owner[] = [
  { name: 'root', uid: 0 },
  { name: 'person', uid: 1_000 },
  { name: 'almost', uid: 19_999 },
  { name: 'nobody', uid: 65_534 },
  { name: 'demo', uid: 20_000.5 },
  { name: 'demo', uid: Number.NaN },
  { name: 'demo', uid: -1 },
];

test.each(Object.entries(tools))('%s refuses every uid that is not an account’s', async (_, act) => {
  for (const owner of strangers)
    await expect((async () => act(owner))()).rejects.toMatchObject({ reason: 'Refused', retryable: false });
  expect(changes.count).toBe(0);
});

test.each(['../etc', 'a/b', '-rf', '', '.', 'A', 'demo\n', 'demo:x'])('the name %j is refused', (name) => {
  expect(() => assertOwner({ name, uid: 20_000 })).toThrow('not that of an account');
});

test.each(['/etc', '../x', 'a/../b', 'a/./b', '-rf', 'a//b', '', 'a\n', 'a b', '.', '..'])(
  'the path %j below a home is refused',
  async (path) => {
    const files = new FilesAsUser(child, look, '/x');
    const acts = [
      () => files.missing(20_000, '/home/demo', [path]),
      () => files.createFolders(20_000, '/home/demo', [path], '0755'),
      () => files.createDocumentRoot(20_000, '/home/demo', path),
    ];
    for (const act of acts) await expect(act()).rejects.toMatchObject({ reason: 'Refused' });
  },
);

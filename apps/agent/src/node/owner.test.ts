import { expect, test } from 'vitest';
import { ProcFs } from '../capabilities/slice/processes.ts';
import { AccountChild } from './account-child.ts';
import { KernelCgroups } from './cgroups.ts';
import { Changes } from './changes.ts';
import { Exec } from './exec.ts';
import { FilesAsUser } from './files-as-user.ts';
import { createObserveAsUsers } from './observe-as-users.ts';
import { ownerNamed } from './owner.ts';

const changes = new Changes();
const exec = new Exec(changes);
const child = new AccountChild(exec);
exec.run = async () => {
  throw new Error('a program was run');
};

const observe = createObserveAsUsers(exec);
test.each([0, 1_000, 19_999, 65_534, 20_000.5, Number.NaN, -1])('the uid %s is refused', async (uid) => {
  const acts: (() => unknown)[] = [
    () => ownerNamed('demo', uid),
    () => new KernelCgroups(changes).kill(uid),
    () => new KernelCgroups(changes).remove(uid),
    () => new ProcFs(child, async () => {}).of(uid),
    () => child.removeOwn(uid, '/tmp/x'),
  ];
  for (const act of acts)
    await expect((async () => act())()).rejects.toMatchObject({ reason: 'Refused', retryable: false });
  expect(changes.count).toBe(0);
});

test.each(['../etc', 'a/b', '-rf', '', '.', 'A', 'demo\n', 'demo:x'])('the name %j is refused', (name) => {
  expect(() => ownerNamed(name, 20_000)).toThrow('not that of an account');
});

test.each(['/etc', '../x', 'a/../b', 'a/./b', '-rf', 'a//b', '', 'a\n', 'a b', '.', '..'])(
  'the path %j below a home is refused',
  async (path) => {
    const files = new FilesAsUser(child, observe, '/x');
    const acts = [
      () => files.missing(20_000, '/home/demo', [path]),
      () => files.createFolders(20_000, '/home/demo', [path], '0755'),
      () => files.createDocumentRoot(20_000, '/home/demo', path),
    ];
    for (const act of acts) await expect(act()).rejects.toMatchObject({ reason: 'Refused' });
  },
);

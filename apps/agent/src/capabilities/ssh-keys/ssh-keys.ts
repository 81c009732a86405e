import { lstat, readFile } from 'node:fs/promises';
import { ACCOUNT_CONFIG_MODE, removeAccountConfigs, writeAccountConfig } from '../../node/account-config.ts';
import type { Changes } from '../../node/changes.ts';
import { ifThere, statIfThere } from '../../node/if-there.ts';
import type { Owner } from '../../node/owner.ts';
import { leftFiles, type Trace, type Traced } from '../../node/trace.ts';
import type { SshKeys } from './host.ts';

/**
 * /etc/innkeeper/ssh-keys/<uid>/authorized_keys, which sshd reads as the account (AuthorizedKeysFile in
 * deploy/node/etc/ssh). Only root can write it, and only the account's group can read it.
 */
const FOLDER = '/etc/innkeeper/ssh-keys';
const FILE = 'authorized_keys';

const folderOf = ({ uid }: Owner) => `${FOLDER}/${uid}`;

export class SshKeyFiles implements SshKeys, Traced {
  readonly #changes: Changes;

  constructor(changes: Changes) {
    this.#changes = changes;
  }

  async read(owner: Owner): Promise<string | undefined> {
    const path = `${folderOf(owner)}/${FILE}`;
    const stats = await ifThere(lstat(path));
    const isRight =
      stats?.isFile() === true &&
      stats.uid === 0 &&
      stats.gid === owner.uid &&
      (stats.mode & 0o7777) === ACCOUNT_CONFIG_MODE;
    return isRight ? await readFile(path, 'utf8') : undefined;
  }

  async write(owner: Owner, text: string): Promise<void> {
    await writeAccountConfig(folderOf(owner), FILE, text, owner.uid);
    this.#changes.record();
  }

  async remove(owner: Owner): Promise<void> {
    await removeAccountConfigs(folderOf(owner));
    this.#changes.record();
  }

  async hasAny(owner: Owner): Promise<boolean> {
    return (await statIfThere(folderOf(owner))) !== undefined;
  }

  async traces(owner: Owner): Promise<Trace[]> {
    return await leftFiles([folderOf(owner)]);
  }
}

import { lstat, readFile, rm, unlink } from 'node:fs/promises';
import { ACCOUNT_CONFIG_MODE, removeAccountConfigs, writeAccountConfig } from '../../node/account-config.ts';
import type { Changes } from '../../node/changes.ts';
import type { Systemd } from '../../node/host.ts';
import { ifThere, listIfThere, statIfThere } from '../../node/if-there.ts';
import type { Owner } from '../../node/owner.ts';
import { RootFolder } from '../../node/root-folder.ts';
import { leftFiles, type Trace, type Traced } from '../../node/trace.ts';
import type { FtpLogins, LoginFiles } from './host.ts';

/**
 * /etc/innkeeper/ftp-logins/<uid>: `folders`, which /usr/lib/innkeeper/enter-jail reads, and a file with the keys of each
 * login that has some, which sshd reads as the account. Only root can write them.
 */
const FOLDER = '/etc/innkeeper/ftp-logins';
const FOLDERS = 'folders';
/** A file for each session, with its unit: enter-jail writes it. */
const SESSIONS = '/run/innkeeper/ftp-sessions';
/** What count-attempt remembers of a login. */
const ATTEMPTS = '/run/innkeeper/ftp-attempts';
/** pam_namespace makes a folder by name in these. It stays empty: a session that sees it has no way out of the jail. */
const TMP = ['/home/.innkeeper-tmp/tmp', '/home/.innkeeper-tmp/var-tmp'];
const UNIT = 'innkeeper-ftp.service';

const folderOf = ({ uid }: Owner) => `${FOLDER}/${uid}`;
const sessionsOf = ({ uid }: Owner) => `${SESSIONS}/${uid}`;

export interface FtpLoginsDeps {
  readonly systemd: Pick<Systemd, 'state' | 'start' | 'stop'>;
  readonly changes: Changes;
  /** Kills the processes of a unit in the slice of an account. */
  readonly killScope: (uid: number, scope: string) => Promise<void>;
}

export class NodeFtpLogins implements FtpLogins, Traced {
  readonly #deps: FtpLoginsDeps;
  /** Starts and stops of the server follow each other: an account may get its first login while another loses its last. */
  #turn: Promise<void> = Promise.resolve();

  constructor(deps: FtpLoginsDeps) {
    this.#deps = deps;
  }

  async read(owner: Owner): Promise<LoginFiles | undefined> {
    const folder = folderOf(owner);
    const names = await listIfThere(folder);
    if (names.length === 0 && (await statIfThere(folder)) === undefined) return undefined;
    const texts = await Promise.all(
      names.map(async (name) => [name, await readRight(`${folder}/${name}`, owner.uid)] as const),
    );
    const { [FOLDERS]: folders, ...keys } = Object.fromEntries(texts);
    return { folders, keys: new Map(Object.entries(keys)) };
  }

  async write(owner: Owner, folders: string, keys: ReadonlyMap<string, string>): Promise<void> {
    const folder = folderOf(owner);
    for (const [name, text] of keys) await writeAccountConfig(folder, name, text, owner.uid);
    await writeAccountConfig(folder, FOLDERS, folders, owner.uid);
    for (const name of await listIfThere(folder))
      if (name !== FOLDERS && !keys.has(name)) await unlink(`${folder}/${name}`);
    this.#deps.changes.record();
  }

  async remove(owner: Owner): Promise<void> {
    await removeAccountConfigs(folderOf(owner));
    await rm(sessionsOf(owner), { recursive: true, force: true });
    this.#deps.changes.record();
    await this.#inTurn(async () => {
      if ((await listIfThere(FOLDER)).length > 0 || !(await this.isServed())) return;
      await this.#deps.systemd.stop([UNIT]);
    });
  }

  async endSessions(owner: Owner, names: readonly string[]): Promise<void> {
    const folder = sessionsOf(owner);
    const slice = `/user.slice/user-${owner.uid}.slice/`;
    for (const file of await listIfThere(folder)) {
      if (!names.includes(file.slice(0, file.lastIndexOf('.')))) continue;
      const group = (await ifThere(readFile(`${folder}/${file}`, 'latin1'))) ?? '';
      if (group.startsWith(slice)) await this.#deps.killScope(owner.uid, group.slice(slice.length));
      await rm(`${folder}/${file}`, { force: true });
    }
    for (const name of names) await rm(`${ATTEMPTS}/${name}`, { force: true });
    for (const path of TMP)
      await RootFolder.within(path, async (tmp) => {
        for (const name of names) if ((await tmp.entry(name)) !== undefined) await tmp.removeEmpty(name);
      });
    this.#deps.changes.record();
  }

  async isServed(): Promise<boolean> {
    return (await this.#deps.systemd.state(UNIT)).active === 'active';
  }

  async serve(): Promise<void> {
    await this.#inTurn(() => this.#deps.systemd.start([UNIT]));
  }

  async traces(owner: Owner): Promise<Trace[]> {
    return await leftFiles([folderOf(owner), sessionsOf(owner)]);
  }

  async #inTurn(work: () => Promise<void>): Promise<void> {
    const done = this.#turn.then(work);
    this.#turn = done.catch(() => {});
    await done;
  }
}

async function readRight(path: string, uid: number): Promise<string | undefined> {
  const stats = await ifThere(lstat(path));
  const isRight =
    stats?.isFile() === true &&
    stats.uid === 0 &&
    stats.gid === uid &&
    (stats.mode & 0o7777) === ACCOUNT_CONFIG_MODE;
  return isRight ? await readFile(path, 'utf8') : undefined;
}

import { lstat, readFile } from 'node:fs/promises';
import type { Changes } from '../../node/changes.ts';
import { replaceFile, unlinkIfThere } from '../../node/durable-files.ts';
import { HostError } from '../../node/host-error.ts';
import { ifThere, statIfThere } from '../../node/if-there.ts';
import type { Owner } from '../../node/owner.ts';
import { left, leftFiles, type Trace, type Traced } from '../../node/trace.ts';
import type { Mail, QueuedOf } from './host.ts';
import { COUNTERS } from './mail-counters.ts';
import type { MailQueue } from './mail-queue.ts';

/** Settings of accounts for the mail service. Only root can write them, only the service’s group can read them. */
const SETTINGS = '/etc/innkeeper/mail/accounts';
export const MAIL_FILE_MODE = 0o640;
const GROUP = 'innkeeper-mail';

const settingsOf = ({ uid }: Owner) => `${SETTINGS}/${uid}`;
const countersOf = ({ uid }: Owner) => `${COUNTERS}/${uid}`;

export class AccountMailFiles implements Mail, Traced {
  readonly #queue: MailQueue;
  readonly #changes: Changes;

  constructor(queue: MailQueue, changes: Changes) {
    this.#queue = queue;
    this.#changes = changes;
  }

  async read(owner: Owner): Promise<string | undefined> {
    const path = settingsOf(owner);
    const stats = await ifThere(lstat(path));
    if (stats === undefined) return undefined;
    const isRight =
      stats.isFile() &&
      stats.uid === 0 &&
      stats.gid === (await mailGroup()) &&
      (stats.mode & 0o7777) === MAIL_FILE_MODE;
    // Anything but the wanted text, so that it is written again or removed.
    return isRight ? await readFile(path, 'latin1') : '';
  }

  async write(owner: Owner, text: string): Promise<void> {
    await replaceFile(settingsOf(owner), text, { mode: MAIL_FILE_MODE, gid: await mailGroup() });
    this.#changes.record();
  }

  async remove(owner: Owner): Promise<void> {
    if (await unlinkIfThere(settingsOf(owner))) this.#changes.record();
  }

  async hasCounters(owner: Owner): Promise<boolean> {
    return (await statIfThere(countersOf(owner))) !== undefined;
  }

  async removeCounters(owner: Owner): Promise<void> {
    if (await unlinkIfThere(countersOf(owner))) this.#changes.record();
  }

  async queued({ uid }: Owner): Promise<QueuedOf> {
    const mails = await this.#queue.of(uid);
    const held = mails.filter(({ isHeld }) => isHeld).length;
    return { waiting: mails.length - held, held };
  }

  async hold({ uid }: Owner): Promise<void> {
    await this.#queue.change('-h', uid);
  }

  async release({ uid }: Owner): Promise<void> {
    await this.#queue.change('-H', uid);
  }

  async deleteQueued({ uid }: Owner): Promise<void> {
    await this.#queue.change('-d', uid);
  }

  async traces(owner: Owner): Promise<Trace[]> {
    const mails = await this.#queue.of(owner.uid);
    return [
      ...(await leftFiles([settingsOf(owner), countersOf(owner)])),
      ...mails.map(({ id }) => left('mail in the queue', id)),
    ];
  }
}

let group: number | undefined;

/** The group of the mail service. Throws HostError on a server that the installer did not set up. */
export async function mailGroup(): Promise<number> {
  if (group !== undefined) return group;
  const lines = (await readFile('/etc/group', 'latin1')).split('\n');
  const line = lines.find((candidate) => candidate.startsWith(`${GROUP}:`));
  if (line === undefined)
    throw new HostError('Failed', `The group ${GROUP} does not exist: run the installer again.`, {
      retryable: false,
    });
  group = Number(line.split(':')[2]);
  return group;
}

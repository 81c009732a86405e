import { utimesSync } from 'node:fs';
import { readdir, readFile, rename, rm } from 'node:fs/promises';
import { removeAccountConfigs, writeAccountConfig } from '../../node/account-config.ts';
import type { Changes } from '../../node/changes.ts';
import { OWNERSHIP_HEADER, syncFolder, writeSynced } from '../../node/durable-files.ts';
import { conflict } from '../../node/host-error.ts';
import { ifThere, statIfThere } from '../../node/if-there.ts';
import type { Owner } from '../../node/owner.ts';
import { leftFiles, type Trace, type Traced } from '../../node/trace.ts';
import type { Cron, CronCommand, CronState } from './host.ts';
import { TableTimes } from './table-times.ts';

/**
 * /etc/cron.d/innkeeper-<uid> and /etc/innkeeper/cron/<uid>/<job id>. Commands are in files that only root can write
 * and only the account's group can read. The table contains no untrusted text except schedules.
 */
const TABLE_FOLDER = '/etc/cron.d';
const COMMANDS_FOLDER = '/etc/innkeeper/cron';
/** Cron ignores a table that others can write to, and reads it as root. No other user can see whose jobs exist. */
const TABLE_MODE = 0o600;

function cronTablePath(uid: number): string {
  return `${TABLE_FOLDER}/innkeeper-${uid}`;
}

function cronCommandsPath(uid: number): string {
  return `${COMMANDS_FOLDER}/${uid}`;
}

export class CronTables implements Cron, Traced {
  readonly #changes: Changes;
  readonly #times = new TableTimes(TABLE_FOLDER);

  constructor(changes: Changes) {
    this.#changes = changes;
  }

  async observe(owner: Owner): Promise<CronState> {
    const [table, names] = await Promise.all([
      readTable(cronTablePath(owner.uid)),
      ifThere(readdir(cronCommandsPath(owner.uid))),
    ]);
    const jobIds = (names ?? []).filter((name) => /^\d+$/.test(name));
    const commands = await Promise.all(
      jobIds.map(async (name) => ({
        jobId: Number(name),
        command: await readFile(`${cronCommandsPath(owner.uid)}/${name}`, 'utf8'),
      })),
    );
    return { table, commands, folder: names !== undefined };
  }

  async writeCommand(owner: Owner, { jobId, command }: CronCommand): Promise<void> {
    await writeAccountConfig(cronCommandsPath(owner.uid), fileNameOf(jobId), command, owner.uid);
    this.#changes.record();
  }

  async removeCommand(owner: Owner, jobId: number): Promise<void> {
    await rm(`${cronCommandsPath(owner.uid)}/${fileNameOf(jobId)}`, { force: true });
    this.#changes.record();
  }

  async removeFolder(owner: Owner): Promise<void> {
    await removeAccountConfigs(cronCommandsPath(owner.uid));
    this.#changes.record();
  }

  async writeTable(owner: Owner, text: string): Promise<void> {
    const path = cronTablePath(owner.uid);
    const before = await readTable(path);
    if (before?.foreign === true) throw conflict(`${path} exists and is not Innkeeper’s.`);
    // Cron ignores files with a dot in their name.
    const fresh = `${path}.innkeeper-new`;
    await writeSynced(fresh, text, { mode: TABLE_MODE, gid: 0 });
    setTime(fresh, this.#times.next(path));
    await rename(fresh, path);
    await this.#showChange();
  }

  async removeTable(owner: Owner): Promise<void> {
    const path = cronTablePath(owner.uid);
    if ((await readTable(path))?.foreign === true) return;
    this.#times.keep();
    await rm(path, { force: true });
    await this.#showChange();
  }

  async #showChange(): Promise<void> {
    await syncFolder(TABLE_FOLDER);
    setTime(TABLE_FOLDER, this.#times.next());
    this.#changes.record();
  }

  async traces({ uid }: Owner): Promise<Trace[]> {
    const table = await readTable(cronTablePath(uid));
    const tables = table === undefined || table.foreign ? [] : [cronTablePath(uid)];
    return await leftFiles([...tables, cronCommandsPath(uid)]);
  }
}

function setTime(path: string, second: number): void {
  utimesSync(path, second, second);
}

function fileNameOf(jobId: number): string {
  if (!Number.isSafeInteger(jobId) || jobId < 1) throw new RangeError(`Not the id of a job: ${jobId}`);
  return String(jobId);
}

async function readTable(path: string): Promise<CronState['table']> {
  const stats = await statIfThere(path);
  if (stats === undefined) return undefined;
  if (!stats.isFile()) return { text: '', foreign: true, accessRight: false };
  const text = await readFile(path, 'latin1');
  const accessRight = stats.uid === 0 && stats.gid === 0 && (stats.mode & 0o7777) === TABLE_MODE;
  return { text, foreign: !text.includes(OWNERSHIP_HEADER), accessRight };
}

import { RELEASES_KEPT } from '@innkeeper/domain';
import * as place from '../task/app-folder.ts';
import type { FilesJob } from '../task/job.ts';
import { DATABASE_SETTINGS } from '../task/wordpress-config.ts';
import { assertOwner } from './account-uid.ts';
import type { Exec } from './exec.ts';
import type { AppFiles, AppFilesState, AppPlaces, AppSwap, Owner } from './host.ts';
import { refused } from './host-error.ts';

const NODE = '/opt/innkeeper/agent/node';
const PROGRAM = '/opt/innkeeper/agent/innkeeper-task.mjs';
const RESULT_MAX_BYTES = 32 * 1024;
/** A release may have very many files to remove. */
const CHANGE_TIMEOUT_MS = 600_000;
const FIELDS = 4;

interface Entry {
  readonly isFolder: boolean;
  /** Whether it is a folder, or a link to one. */
  readonly leadsToFolder: boolean;
  /** Of a link; empty for another. */
  readonly target: string;
}

/** Looks by `find`, changes by our own program (`src/task/files.ts`), both as the account and in its home. */
export class AppFolders implements AppFiles {
  readonly #exec: Exec;
  readonly #welcomePage: string;

  constructor(exec: Exec, welcomePage: string) {
    this.#exec = exec;
    this.#welcomePage = welcomePage;
  }

  async observe(owner: Owner, apps: readonly AppPlaces[]): Promise<AppFilesState[]> {
    assertOwner(owner);
    if (apps.length === 0) return [];
    const entries = await this.#find(owner, apps.flatMap(pathsOf));
    return apps.map((app) => stateOf(app, entries));
  }

  async swap(owner: Owner, { appId, release, link, adopts }: AppSwap): Promise<void> {
    await this.#change(owner, {
      kind: 'swap',
      folder: appFolderOf(appId),
      release,
      link,
      adopts,
      keptAs: `${link}.before-app-${appId}`,
      welcomePage: this.#welcomePage,
      keep: RELEASES_KEPT,
    });
  }

  async unlink(owner: Owner, appId: number, link: string): Promise<void> {
    await this.#change(owner, { kind: 'unlink', folder: appFolderOf(appId), link });
  }

  async remove(owner: Owner, appId: number, link: string | null): Promise<void> {
    const logs = [buildLogOf(appId)];
    await this.#change(owner, { kind: 'remove', folder: appFolderOf(appId), link, logs });
  }

  async readSettings(owner: Owner, appId: number): Promise<string | undefined> {
    assertOwner(owner);
    const { stdout, exitCode } = await this.#exec.run(
      '/usr/bin/tail',
      ['-c', '+1', '--', settingsOf(appId)],
      {
        as: owner.uid,
        cwd: `/home/${owner.name}`,
        accept: [0, 1],
      },
    );
    return exitCode === 0 ? stdout : undefined;
  }

  async writeSettings(owner: Owner, appId: number, text: string): Promise<void> {
    await this.#change(owner, { kind: 'write', path: settingsOf(appId), text });
  }

  async readResult(owner: Owner, appId: number): Promise<string> {
    assertOwner(owner);
    const path = place.resultNote(appFolderOf(appId));
    const { stdout } = await this.#exec.run('/usr/bin/tail', ['-c', `${RESULT_MAX_BYTES}`, '--', path], {
      as: owner.uid,
      cwd: `/home/${owner.name}`,
      accept: [0, 1],
    });
    return stdout;
  }

  async #change(owner: Owner, job: FilesJob): Promise<void> {
    assertOwner(owner);
    await this.#exec.change(NODE, [PROGRAM, 'files'], {
      as: owner.uid,
      cwd: `/home/${owner.name}`,
      timeoutMs: CHANGE_TIMEOUT_MS,
      input: JSON.stringify(job),
    });
  }

  /** By path; what does not exist is not among them. */
  async #find(owner: Owner, paths: readonly string[]): Promise<Map<string, Entry>> {
    const args = [...paths, '-maxdepth', '0', '-printf', '%p\\0%y\\0%Y\\0%l\\0'];
    // Exit code 1: something is not there.
    const { stdout } = await this.#exec.run('/usr/bin/find', args, {
      as: owner.uid,
      cwd: `/home/${owner.name}`,
      accept: [0, 1],
    });
    const words = stdout.split('\0');
    const entries = new Map<string, Entry>();
    for (let at = 0; at + FIELDS < words.length; at += FIELDS) {
      const [path = '', type, followed, target = ''] = words.slice(at, at + FIELDS);
      entries.set(path, { isFolder: type === 'd', leadsToFolder: followed === 'd', target });
    }
    return entries;
  }
}

export function appFolderOf(appId: number): string {
  if (!Number.isSafeInteger(appId) || appId < 1) throw refused('An app has a positive id.');
  return `apps/${appId}`;
}

function settingsOf(appId: number): string {
  return `${appFolderOf(appId)}/${DATABASE_SETTINGS}`;
}

export function buildLogOf(appId: number): string {
  return `logs/app-${appId}-build.log`;
}

function pathsOf({ appId, release, link }: AppPlaces): string[] {
  const folder = appFolderOf(appId);
  return [
    folder,
    place.currentLink(folder),
    place.releaseFolder(folder, release),
    place.readyNote(folder, release),
    place.buildingNote(folder, release),
    ...(link === null ? [] : [link]),
  ];
}

function stateOf({ appId, release, link }: AppPlaces, entries: ReadonlyMap<string, Entry>): AppFilesState {
  const folder = appFolderOf(appId);
  const currentLink = entries.get(place.currentLink(folder));
  const named = /^releases\/(\d{1,16})$/.exec(currentLink?.target ?? '')?.[1];
  const current = currentLink?.leadsToFolder === true ? named : undefined;
  const isThere = entries.get(place.releaseFolder(folder, release))?.isFolder === true;
  return {
    present: entries.has(folder),
    current,
    // What serves has been ready, whoever removed the note.
    ready: isThere && (entries.has(place.readyNote(folder, release)) || current === release),
    building: entries.has(place.buildingNote(folder, release)),
    linked: link === null || entries.get(link)?.target === place.linkTarget(folder, link),
  };
}

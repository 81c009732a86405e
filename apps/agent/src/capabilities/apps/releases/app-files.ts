import { join } from 'node:path';
import { RELEASES_KEPT } from '@innkeeper/domain';
import { AccountChild } from '../../../node/account-child.ts';
import * as place from '../../../node/app-paths.ts';
import type { Exec } from '../../../node/exec.ts';
import { refused } from '../../../node/host-error.ts';
import type { ObserveAsUsers, Seen } from '../../../node/observe-as-users.ts';
import type { Owner } from '../../../node/owner.ts';
import type { FilesJob } from '../task/job.ts';
import { DATABASE_SETTINGS } from '../task/wordpress-config.ts';
import type { AppFiles, AppFilesState, AppPlaces, AppSwap } from './host.ts';

const NODE = '/opt/innkeeper/agent/node';
const PROGRAM = '/opt/innkeeper/agent/innkeeper-task.mjs';
const RESULT_MAX_BYTES = 32 * 1024;
/** A release may contain a very large number of files to remove. */
const CHANGE_TIMEOUT_MS = 600_000;
/** Somebody waits for the page that shows the log. */
const LOG_TIMEOUT_MS = 3_000;

/**
 * Makes changes through our own program (`src/task/files.ts`), which drops to the account's rights before it does
 * anything else. Every observation has those rights, too.
 */
export class AppFolders implements AppFiles {
  readonly #exec: Exec;
  readonly #child: AccountChild;
  readonly #observeAsUser: ObserveAsUsers;
  readonly #welcomePage: string;
  readonly #base: string;

  constructor(exec: Exec, observe: ObserveAsUsers, welcomePage: string, base = '/home') {
    this.#exec = exec;
    this.#child = new AccountChild(exec);
    this.#observeAsUser = observe;
    this.#welcomePage = welcomePage;
    this.#base = base;
  }

  async observe(owner: Owner, apps: readonly AppPlaces[]): Promise<AppFilesState[]> {
    if (apps.length === 0) return [];
    const paths = apps.flatMap(pathsOf);
    const seen = await this.#observeAsUser({ uid: owner.uid, home: this.#home(owner), paths });
    return apps.map((app) => stateOf(app, seen));
  }

  async swap(owner: Owner, { appId, release, link, adopts, spare }: AppSwap): Promise<void> {
    await this.#change(owner, {
      kind: 'swap',
      folder: appFolderOf(appId),
      release,
      link,
      adopts,
      keptAs: `${link}.before-app-${appId}`,
      welcomePage: this.#welcomePage,
      keep: RELEASES_KEPT,
      spare,
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
    const path = settingsOf(appId);
    const seen = await this.#observeAsUser({
      uid: owner.uid,
      home: this.#home(owner),
      paths: [path],
      reads: true,
    });
    return seen.get(path)?.text;
  }

  async writeSettings(owner: Owner, appId: number, text: string): Promise<void> {
    await this.#change(owner, { kind: 'write', path: settingsOf(appId), text });
  }

  async readResult(owner: Owner, appId: number): Promise<string> {
    const path = place.resultNote(appFolderOf(appId));
    return await this.#child.readEnds(owner.uid, [join(this.#home(owner), path)], RESULT_MAX_BYTES);
  }

  async readCommit(owner: Owner, appId: number): Promise<string> {
    const path = place.commitNote(appFolderOf(appId));
    return await this.#child.readEnds(owner.uid, [join(this.#home(owner), path)], RESULT_MAX_BYTES);
  }

  async buildLog(owner: Owner, appId: number, bytes: number): Promise<string> {
    const path = join(this.#home(owner), buildLogOf(appId));
    return await this.#child.readEnds(owner.uid, [path], bytes, { timeoutMs: LOG_TIMEOUT_MS });
  }

  async #change(owner: Owner, job: FilesJob): Promise<void> {
    await this.#exec.change(NODE, [PROGRAM, 'files', `${owner.uid}`], {
      cwd: this.#home(owner),
      timeoutMs: CHANGE_TIMEOUT_MS,
      input: JSON.stringify(job),
    });
  }

  #home(owner: Owner): string {
    return join(this.#base, owner.name);
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

function stateOf({ appId, release, link }: AppPlaces, seen: ReadonlyMap<string, Seen>): AppFilesState {
  const folder = appFolderOf(appId);
  const currentLink = seen.get(place.currentLink(folder));
  const named = /^releases\/(\d{1,16})$/.exec(currentLink?.target ?? '')?.[1];
  const current = currentLink?.leadsToFolder === true ? named : undefined;
  const isThere = seen.get(place.releaseFolder(folder, release))?.kind === 'folder';
  return {
    present: seen.has(folder),
    current,
    // The serving release was ready before, even if its note was removed.
    ready: isThere && (seen.has(place.readyNote(folder, release)) || current === release),
    building: seen.has(place.buildingNote(folder, release)),
    linked: link === null || seen.get(link)?.target === place.linkTarget(folder, link),
  };
}

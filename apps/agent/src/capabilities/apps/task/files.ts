import {
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import * as place from '../../../node/app-paths.ts';
import { WELCOME_FILE } from '../../../node/app-paths.ts';
import type { FilesJob, RemoveJob, SwapJob, UnlinkJob, WriteJob } from './job.ts';

const FRESH = '.innkeeper-new';
/** The same file types as in nginx (deploy/node/etc/nginx/innkeeper/sources.conf). */
const SOURCE = /\.(?:php\d*|phps|phtml?|pht|phar|inc)(?:$|[.~])/i;
const MOST_ENTRIES_READ = 100_000;

/** Short steps below a home. Each one is safe to repeat after a crash at any point. */
export function changeFiles(job: FilesJob): void {
  if (job.kind === 'swap') swap(job);
  else if (job.kind === 'unlink') unlink(job);
  else if (job.kind === 'remove') remove(job);
  else write(job);
}

function swap(job: SwapJob): void {
  const { folder, release, link } = job;
  const current = place.currentLink(folder);
  if (kindOf(current) === 'other') keepBeside(current, `${current}.before`);
  point(current, place.currentTarget(release));
  if (link !== null) {
    mkdirSync(dirname(link), { recursive: true });
    clear(link, job);
    point(link, place.linkTarget(folder, link));
  }
  mkdirSync(place.notesFolder(folder), { recursive: true });
  writeFileSync(place.readyNote(folder, release), 'It has served.\n');
  prune(job);
}

/** Puts a link in place atomically, and replaces an existing link. */
function point(link: string, target: string): void {
  if (targetOf(link) === target) return;
  rmSync(`${link}${FRESH}`, { recursive: true, force: true });
  symlinkSync(target, `${link}${FRESH}`);
  renameSync(`${link}${FRESH}`, link);
}

/** Anything at the link's path is user content, unless it is the welcome page. */
function clear(link: string, { folder, release, adopts, keptAs, welcomePage }: SwapJob): void {
  if (kindOf(link) !== 'other') return;
  if (isWelcome(link, welcomePage)) {
    rmSync(link, { recursive: true });
  } else if (mayAdopt(link, adopts)) {
    const content = place.releaseFolder(folder, release);
    rmSync(content, { recursive: true, force: true });
    renameSync(link, content);
  } else keepBeside(link, keptAs);
}

/**
 * Returns whether the folder may be adopted. Where no program runs source files, every visitor could read them as text.
 * A tree that is too large to check is not adopted.
 */
function mayAdopt(path: string, adopts: SwapJob['adopts']): boolean {
  if (adopts === 'nothing' || !lstatSync(path).isDirectory()) return false;
  return adopts === 'anything' || !mayHoldSources(path);
}

function mayHoldSources(folder: string): boolean {
  let left = MOST_ENTRIES_READ;
  const folders = [folder];
  for (let next = folders.pop(); next !== undefined; next = folders.pop())
    for (const entry of readdirSync(next, { withFileTypes: true })) {
      left -= 1;
      if (left < 0 || (SOURCE.test(entry.name) && entry.name !== WELCOME_FILE)) return true;
      if (entry.isDirectory()) folders.push(join(next, entry.name));
    }
  return false;
}

function keepBeside(path: string, name: string): void {
  let free = name;
  for (let at = 2; kindOf(free) !== 'nothing'; at += 1) free = `${name}-${at}`;
  renameSync(path, free);
}

function isWelcome(path: string, welcomePage: string): boolean {
  if (!lstatSync(path).isDirectory()) return false;
  const names = readdirSync(path);
  if (names.length === 0) return true;
  // index.php: from a document root that an earlier release of the agent created.
  const [name, ...others] = names;
  if (others.length > 0 || (name !== WELCOME_FILE && name !== 'index.php')) return false;
  const page = join(path, name);
  if (!lstatSync(page).isFile()) return false;
  return readFileSync(page).equals(readFileSync(welcomePage));
}

/**
 * Keeps the releases that served last, as the control plane counts them. `0` is always kept, because nobody can deploy
 * it again.
 */
function prune({ folder, release, keep, spare }: SwapJob): void {
  const releases = place.releasesFolder(folder);
  const others = readdirSync(releases).filter((name) => name !== release && name !== '0');
  const kept = new Set([
    spare,
    ...others
      .map((name) => ({ name, servedAt: servedAt(folder, name) }))
      .filter(({ servedAt: at }) => at > 0)
      .sort((one, other) => other.servedAt - one.servedAt)
      .slice(0, keep - 1)
      .map(({ name }) => name),
  ]);
  for (const name of others) {
    if (kept.has(name)) continue;
    rmSync(join(releases, name), { recursive: true, force: true });
    rmSync(place.readyNote(folder, name), { force: true });
  }
}

/** When a release was last swapped in; 0: never. */
function servedAt(folder: string, release: string): number {
  const note = place.readyNote(folder, release);
  const entry = lstatSync(note, { throwIfNoEntry: false });
  return entry?.isFile() === true && entry.size > 0 ? entry.mtimeMs : 0;
}

/** Removes the link, if it belongs to this app. */
function unlink({ folder, link }: UnlinkJob): void {
  if (targetOf(link) === place.linkTarget(folder, link)) rmSync(link);
  rmSync(`${link}${FRESH}`, { recursive: true, force: true });
}

function remove({ folder, link, logs }: RemoveJob): void {
  if (link !== null) unlink({ kind: 'unlink', folder, link });
  for (const log of logs) rmSync(log, { recursive: true, force: true });
  rmSync(folder, { recursive: true, force: true });
}

function write({ path, text }: WriteJob): void {
  mkdirSync(dirname(path), { recursive: true });
  rmSync(`${path}${FRESH}`, { recursive: true, force: true });
  writeFileSync(`${path}${FRESH}`, text, { mode: 0o600, flag: 'wx' });
  if (kindOf(path) === 'other' && lstatSync(path).isDirectory()) keepBeside(path, `${path}.before`);
  renameSync(`${path}${FRESH}`, path);
}

function kindOf(path: string): 'nothing' | 'link' | 'other' {
  const entry = lstatSync(path, { throwIfNoEntry: false });
  if (entry === undefined) return 'nothing';
  return entry.isSymbolicLink() ? 'link' : 'other';
}

function targetOf(path: string): string | undefined {
  return kindOf(path) === 'link' ? readlinkSync(path) : undefined;
}

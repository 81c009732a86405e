import { readFileSync, renameSync } from 'node:fs';
import { type FileHandle, lstat, open, readdir, rename, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { storeDurably } from '../../node/durable-files.ts';
import { ifThere } from '../../node/if-there.ts';
import type { Owner } from '../../node/owner.ts';
import { left, type Trace, type Traced } from '../../node/trace.ts';
import { AnsweredRequests } from './answered-requests.ts';
import type { Answered, Traffic } from './host.ts';
import { countLines, wholeLines } from './traffic-lines.ts';
import {
  advance,
  emptyTrafficState,
  type FilePosition,
  isMarked,
  keptMonths,
  markOf,
  monthOf,
  positionAtStart,
  type TrafficState,
  trafficStateSchema,
} from './traffic-state.ts';

/** The process that writes the log. */
export interface LogWriter {
  /**
   * Returns the files of a folder that any of its processes has open, including removed files: `device:inode`, each
   * with a path that opens it.
   */
  openLogFiles(folder: string): Promise<ReadonlyMap<string, string>>;
  /** Makes the writer reopen its log by name. Does nothing while the writer does not run. */
  reopen(): Promise<void>;
}

export interface TrafficLogOptions {
  /** Only root and nginx can write to it. */
  readonly folder: string;
  readonly stateFile: string;
  readonly writer: LogWriter;
  /** Requests of other uids are not counted, so no total outlives its account. */
  readonly isAccount: (uid: number) => boolean;
  /** A log of this size is rotated. So is a log of an earlier day. */
  readonly rotateBytes: number;
  readonly now: () => number;
  readonly store?: (file: string, content: string) => Promise<void>;
}

const LOG = 'traffic.log';
const PUT_ASIDE = /^traffic-[0-9TZ]+-(\d+)\.log$/;
const KEPT_FILES = 14;
const LONGEST_DELAY_S = 60;
const CHUNK_BYTES = 1024 * 1024;
const MIB = 1024 * 1024;
const DAY_MS = 86_400_000;

/**
 * Counts bandwidth from nginx's log. Every line is counted exactly once, even after a kill at any moment. The read
 * position and the totals are stored together. A file is identified by its inode and its content, not by its name.
 *
 * A rotation is a rename and a signal, and needs no stored state. The agent keeps reading a renamed file, and tells
 * nginx to reopen its log, until no process of nginx has the old file open. So the next pass completes an interrupted
 * rotation, and handles a rotation by another program the same way.
 */
export class TrafficLog implements Traffic, Traced {
  readonly #options: TrafficLogOptions;
  readonly #store: (file: string, content: string) => Promise<void>;
  readonly #state: TrafficState;
  readonly #open = new Map<string, FileHandle>();
  readonly #answered = new AnsweredRequests();
  #stored = '';
  #last: Promise<void> = Promise.resolve();
  #countedBytes = 0;
  #refusedLines = 0;
  #lostFiles = 0;

  constructor(options: TrafficLogOptions) {
    this.#options = options;
    this.#store = options.store ?? storeDurably;
    this.#state = loadState(options.stateFile);
  }

  get statistics() {
    return { countedBytes: this.#countedBytes, refusedLines: this.#refusedLines, lostFiles: this.#lostFiles };
  }

  get month(): string {
    return monthOf(this.#options.now());
  }

  usedBytes({ uid }: Owner): number {
    return this.#state.months[this.month]?.[uid] ?? 0;
  }

  isExceeded(owner: Owner, limitMb: number): boolean {
    return this.usedBytes(owner) > limitMb * MIB;
  }

  takeAnswered(): ReadonlyMap<number, Answered> {
    return this.#answered.take();
  }

  knows({ uid }: Owner): boolean {
    return Object.values(this.#state.months).some((month) => month[uid] !== undefined);
  }

  forget({ uid }: Owner): Promise<void> {
    return this.#serially(async () => {
      for (const month of Object.values(this.#state.months)) delete month[uid];
      await this.#commit();
    });
  }

  read(): Promise<void> {
    return this.#serially(() => this.#pass());
  }

  /** Closes the open files. Call it after the last read. */
  close(): Promise<void> {
    return this.#serially(async () => {
      for (const handle of this.#open.values()) await handle.close();
      this.#open.clear();
    });
  }

  #serially(step: () => Promise<void>): Promise<void> {
    const result = this.#last.then(step);
    this.#last = result.catch(() => undefined);
    return result;
  }

  async #pass(): Promise<void> {
    const { folder, writer, now } = this.#options;
    const current = await this.#follow();
    const isSettled = this.#state.files.length === 1 && current !== undefined && current.offset > 0;
    // This must come before the read: then a file that no process could write to any more is read completely.
    const open = isSettled ? undefined : await writer.openLogFiles(folder);
    // A file that was renamed before the agent saw it.
    for (const id of open?.keys() ?? [])
      if (!this.#state.files.some((file) => file.id === id))
        this.#state.files.push(positionAtStart(id, now()));
    const older = this.#state.files.filter((file) => file !== current);
    for (const file of [...this.#state.files]) await this.#readOn(file);
    for (const file of older) if (open?.has(file.id) === false) await this.#finish(file);
    const [, oldestKept = ''] = keptMonths(now());
    for (const month of Object.keys(this.#state.months))
      if (month < oldestKept) delete this.#state.months[month];
    await this.#commit();
    const isOpen = older.some((file) => open?.has(file.id) === true);
    if (isOpen || current === undefined) await writer.reopen();
    if (current !== undefined) await this.#rotate(current);
  }

  /** The position in the file that has the log's name now; undefined while there is none. */
  async #follow(): Promise<FilePosition | undefined> {
    const id = await idOf(join(this.#options.folder, LOG));
    if (id === undefined) return undefined;
    const known = this.#state.files.find((file) => file.id === id);
    if (known !== undefined) return known;
    const fresh = positionAtStart(id, this.#options.now());
    this.#state.files.push(fresh);
    return fresh;
  }

  async #readOn(file: FilePosition): Promise<void> {
    const handle = await this.#handleOf(file);
    if (handle === undefined) {
      this.#lostFiles += 1;
      return this.#leave(file);
    }
    const { size } = await handle.stat();
    await this.#checkPosition(handle, file, size);
    if (size === file.offset) return;
    const buffer = Buffer.allocUnsafe(Math.min(CHUNK_BYTES, Math.max(size - file.offset, 1)));
    while (file.offset < size) {
      const { bytesRead } = await handle.read(buffer, 0, buffer.length, file.offset);
      const read = buffer.subarray(0, bytesRead);
      const whole = wholeLines(read);
      // The last line is incomplete so far. No line is as long as the largest chunk.
      if (whole === 0 && bytesRead < CHUNK_BYTES) return;
      this.#take(file, whole === 0 ? read : read.subarray(0, whole));
    }
  }

  #take(file: FilePosition, read: Buffer): void {
    let month = '';
    let [from, to] = [0, 0];
    const since = this.#options.now() / 1_000 - LONGEST_DELAY_S;
    this.#refusedLines += countLines(read, (uid, endedAt, bytesSent, status, host) => {
      this.#countedBytes += bytesSent;
      if (!this.#options.isAccount(uid)) return;
      if (endedAt >= since) this.#answered.add(uid, { bytesSent, status, host });
      if (endedAt < from || endedAt >= to) [month, from, to] = monthAround(endedAt);
      const totals = this.#state.months[month] ?? {};
      totals[uid] = (totals[uid] ?? 0) + bytesSent;
      this.#state.months[month] = totals;
    });
    advance(file, read);
  }

  /**
   * A file whose content differs from what was read is new, whatever its inode: it was truncated and rewritten, or is
   * another file. A file that only became shorter has lost its end, for instance in a power failure: the rest was
   * already counted.
   */
  async #checkPosition(handle: FileHandle, file: FilePosition, size: number): Promise<void> {
    const { offset, head, tail } = file;
    if (offset === 0) return;
    const at = async (position: number, bytes: number) => {
      const buffer = Buffer.alloc(bytes);
      const { bytesRead } = await handle.read(buffer, 0, bytes, position);
      return buffer.subarray(0, bytesRead);
    };
    if (size >= offset) {
      if (isMarked(await at(offset - tail.bytes, tail.bytes), tail)) return;
    } else if (size >= head.bytes && isMarked(await at(0, head.bytes), head)) {
      file.tail = markOf(await at(size - head.bytes, head.bytes));
      file.offset = size;
      return;
    }
    Object.assign(file, positionAtStart(file.id, this.#options.now()));
  }

  /** Keeps the file open, so that a removed file can still be read to its end. */
  async #handleOf(file: FilePosition): Promise<FileHandle | undefined> {
    const known = this.#open.get(file.id);
    if (known !== undefined) return known;
    const { folder, writer } = this.#options;
    for (const name of await readdir(folder)) {
      const path = join(folder, name);
      if ((await idOf(path)) !== file.id) continue;
      const handle = await openAs(file.id, path);
      if (handle !== undefined) return this.#keep(file, handle);
    }
    const path = (await writer.openLogFiles(folder)).get(file.id);
    const handle = path === undefined ? undefined : await openAs(file.id, path);
    return handle && this.#keep(file, handle);
  }

  #keep(file: FilePosition, handle: FileHandle): FileHandle {
    this.#open.set(file.id, handle);
    return handle;
  }

  /** Ends a completely read file. A file that another program renamed gets a name that `#removeOldest` recognises. */
  async #finish(file: FilePosition): Promise<void> {
    const { folder } = this.#options;
    for (const name of await readdir(folder))
      if (!PUT_ASIDE.test(name) && (await idOf(join(folder, name))) === file.id)
        await rename(join(folder, name), join(folder, this.#nameAside(file)));
    await this.#leave(file);
  }

  async #leave(file: FilePosition): Promise<void> {
    const at = this.#state.files.indexOf(file);
    if (at >= 0) this.#state.files.splice(at, 1);
    await this.#open.get(file.id)?.close();
    this.#open.delete(file.id);
  }

  #nameAside({ id }: FilePosition): string {
    const time = new Date(this.#options.now()).toISOString().replace(/[-:.]/g, '');
    return `traffic-${time}-${inodeOf(id)}.log`;
  }

  async #commit(): Promise<void> {
    const content = JSON.stringify(this.#state);
    if (content === this.#stored) return;
    await this.#store(this.#options.stateFile, content);
    this.#stored = content;
  }

  async #rotate(file: FilePosition): Promise<void> {
    const { folder, writer, rotateBytes } = this.#options;
    const now = this.#options.now();
    if (file.offset === 0) file.since = now;
    const isOfToday = Math.floor(file.since / DAY_MS) === Math.floor(now / DAY_MS);
    if (file.offset < rotateBytes && isOfToday) return;
    await rename(join(folder, LOG), join(folder, this.#nameAside(file)));
    await writer.reopen();
    await this.#removeOldest();
  }

  /** Removes fully read rotated files except the newest, which are kept for administrators. */
  async #removeOldest(): Promise<void> {
    const { folder } = this.#options;
    const names = (await readdir(folder)).filter((name) => PUT_ASIDE.test(name)).sort();
    const unread = new Set(this.#state.files.map(({ id }) => inodeOf(id)));
    for (const name of names.slice(0, -KEPT_FILES))
      if (!unread.has(PUT_ASIDE.exec(name)![1]!)) await unlink(join(folder, name));
  }

  async traces(owner: Owner): Promise<Trace[]> {
    return this.knows(owner) ? [left('bandwidth total', owner.name)] : [];
  }
}

function inodeOf(id: string): string {
  return id.slice(id.indexOf(':') + 1);
}

function loadState(file: string): TrafficState {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return emptyTrafficState();
    throw error;
  }
  try {
    return trafficStateSchema.parse(JSON.parse(text));
  } catch {
    // The damaged file is kept for an administrator. The present log is counted again.
    renameSync(file, `${file}.damaged`);
    return emptyTrafficState();
  }
}

async function idOf(path: string): Promise<string | undefined> {
  const stats = await ifThere(lstat(path, { bigint: true }));
  return stats?.isFile() === true ? `${stats.dev}:${stats.ino}` : undefined;
}

/** Returns undefined when the path now refers to another file. */
async function openAs(id: string, path: string): Promise<FileHandle | undefined> {
  const handle = await ifThere(open(path, 'r'));
  if (handle === undefined) return undefined;
  const { dev, ino } = await handle.stat({ bigint: true });
  if (`${dev}:${ino}` === id) return handle;
  await handle.close();
  return undefined;
}

function monthAround(unixSeconds: number): [month: string, from: number, to: number] {
  const month = monthOf(unixSeconds * 1_000);
  const [year = 0, number = 0] = month.split('-').map(Number);
  return [month, Date.UTC(year, number - 1, 1) / 1_000, Date.UTC(year, number, 1) / 1_000];
}

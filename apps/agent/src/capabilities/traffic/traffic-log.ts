import { readFileSync, renameSync } from 'node:fs';
import { type FileHandle, lstat, open, readdir, rename, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { ifThere } from '../../node/if-there.ts';
import type { Owner } from '../../node/owner.ts';
import { storeDurably } from '../../node/store-durably.ts';
import { left, type Trace, type Traced } from '../../node/trace.ts';
import type { Traffic } from './host.ts';
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

/** Who writes the log. */
export interface LogWriter {
  /**
   * Files of a folder that any of its processes has open, as `device:inode`, each with a path to open it by; also
   * those that are removed.
   */
  heldFiles(folder: string): Promise<ReadonlyMap<string, string>>;
  /** Tells the writer to open its log again by its name. Does nothing while it does not run. */
  reopen(): Promise<void>;
}

export interface TrafficLogOptions {
  /** Only root and nginx can write in it. */
  readonly folder: string;
  readonly stateFile: string;
  readonly writer: LogWriter;
  /** Requests of others are not counted: no total outlives its account. */
  readonly isAccount: (uid: number) => boolean;
  /** A file of this size is put aside; so is one of an earlier day. */
  readonly rotateBytes: number;
  readonly now: () => number;
  readonly store?: (file: string, content: string) => Promise<void>;
}

const LOG = 'traffic.log';
const PUT_ASIDE = /^traffic-[0-9TZ]+-(\d+)\.log$/;
const KEPT_FILES = 14;
const CHUNK_BYTES = 1024 * 1024;
const MIB = 1024 * 1024;
const DAY_MS = 86_400_000;

/**
 * Bandwidth, from nginx's log. Every line is counted exactly once, whatever is killed when: how far was read and
 * what it came to are stored together, and a file is known by its inode and by what stands in it, not by its name.
 *
 * A rotation is a rename and a signal, and needs no note of its own: a file that has not the log's name is read on
 * until no process of nginx has it open, and until then nginx is told to open its log anew. So an interrupted
 * rotation ends with the next pass, and one by another hand is the same thing.
 */
export class TrafficLog implements Traffic, Traced {
  readonly #options: TrafficLogOptions;
  readonly #store: (file: string, content: string) => Promise<void>;
  readonly #state: TrafficState;
  readonly #open = new Map<string, FileHandle>();
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

  /** Closes what is open; to be called after the last read. */
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
    // Before anything is read: what nobody could write to any more is then read to its end.
    const held = isSettled ? undefined : await writer.heldFiles(folder);
    // A file that lost the log's name before it was seen.
    for (const id of held?.keys() ?? [])
      if (!this.#state.files.some((file) => file.id === id))
        this.#state.files.push(positionAtStart(id, now()));
    const older = this.#state.files.filter((file) => file !== current);
    for (const file of [...this.#state.files]) await this.#readOn(file);
    for (const file of older) if (held?.has(file.id) === false) await this.#finish(file);
    const [, oldestKept = ''] = keptMonths(now());
    for (const month of Object.keys(this.#state.months))
      if (month < oldestKept) delete this.#state.months[month];
    await this.#commit();
    const isHeld = older.some((file) => held?.has(file.id) === true);
    if (isHeld || current === undefined) await writer.reopen();
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
      // A line's end is yet to come; no line is as long as the largest piece.
      if (whole === 0 && bytesRead < CHUNK_BYTES) return;
      this.#take(file, whole === 0 ? read : read.subarray(0, whole));
    }
  }

  #take(file: FilePosition, read: Buffer): void {
    let month = '';
    let [from, to] = [0, 0];
    this.#refusedLines += countLines(read, (uid, endedAt, bytesSent) => {
      this.#countedBytes += bytesSent;
      if (!this.#options.isAccount(uid)) return;
      if (endedAt < from || endedAt >= to) [month, from, to] = monthAround(endedAt);
      const totals = this.#state.months[month] ?? {};
      totals[uid] = (totals[uid] ?? 0) + bytesSent;
      this.#state.months[month] = totals;
    });
    advance(file, read);
  }

  /**
   * A file that has other content than was read is new, whatever its inode: it was truncated and written again,
   * or is another one. One that only became shorter has lost its end, in a power failure for instance: what is
   * left of it was counted.
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

  /** Kept open, so that a file that somebody removes can still be read to its end. */
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
    const path = (await writer.heldFiles(folder)).get(file.id);
    const handle = path === undefined ? undefined : await openAs(file.id, path);
    return handle && this.#keep(file, handle);
  }

  #keep(file: FilePosition, handle: FileHandle): FileHandle {
    this.#open.set(file.id, handle);
    return handle;
  }

  /** The file is read to its end. One that somebody else has renamed gets a name that it is removed by one day. */
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

  /** Of the files put aside that are read to their end, the newest are kept for whoever looks for something. */
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
    // Kept for a human; what the log of now holds is counted again.
    renameSync(file, `${file}.damaged`);
    return emptyTrafficState();
  }
}

async function idOf(path: string): Promise<string | undefined> {
  const stats = await ifThere(lstat(path, { bigint: true }));
  return stats?.isFile() === true ? `${stats.dev}:${stats.ino}` : undefined;
}

/** Undefined when the path has come to mean another file. */
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

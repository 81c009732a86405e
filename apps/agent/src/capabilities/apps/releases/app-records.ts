import { mkdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import type { Changes } from '../../../node/changes.ts';
import { LEFTOVER_SUFFIX, storeDurably, syncFolder } from '../../../node/durable-files.ts';
import { listIfThere } from '../../../node/if-there.ts';
import type { Owner } from '../../../node/owner.ts';
import { left, type Trace, type Traced } from '../../../node/trace.ts';
import type { AppRecord, AppRecords } from './host.ts';

const release = z.string().regex(/^\d{1,16}$/);
const recordSchema: z.ZodType<AppRecord> = z.strictObject({
  appId: z.int().min(1),
  link: z.string().nullable(),
  task: z.strictObject({ release, attempt: z.int().min(1) }).nullable(),
  failure: z
    .strictObject({
      release,
      reason: z.string(),
      attempts: z.int().min(1),
      retryAt: z.number().nullable(),
      retries: z.int().optional(),
    })
    .nullable(),
  former: z.strictObject({ release, swappedAt: z.number() }).nullish(),
  commit: z.strictObject({ release, hash: z.string(), author: z.string(), subject: z.string() }).nullish(),
  broken: z.strictObject({ digest: z.string(), reason: z.string() }).nullish(),
});

/** One file for each app, in one folder for each account with apps. */
export class AppRecordFiles implements AppRecords, Traced {
  readonly #changes: Changes;
  readonly #base: string;

  constructor(changes: Changes, stateDir: string) {
    this.#changes = changes;
    this.#base = join(stateDir, 'apps');
  }

  /** An unreadable record counts as none: its content is determined again. */
  async of(owner: Owner): Promise<AppRecord[]> {
    const folder = this.folder(owner);
    const names = (await listIfThere(folder)).filter((name) => /^\d+\.json$/.test(name));
    const records = await Promise.all(
      names.map(async (name) => {
        const record = readRecord(await readFile(join(folder, name), 'utf8'));
        return record === undefined || `${record.appId}.json` !== name ? [] : [record];
      }),
    );
    return records.flat();
  }

  async put(owner: Owner, record: AppRecord): Promise<void> {
    await mkdir(this.folder(owner), { recursive: true, mode: 0o700 });
    await storeDurably(this.#file(owner, record.appId), JSON.stringify(record));
    this.#changes.record();
  }

  async remove(owner: Owner, appId: number): Promise<void> {
    await mkdir(this.folder(owner), { recursive: true, mode: 0o700 });
    await rm(this.#file(owner, appId), { force: true });
    const left = await listIfThere(this.folder(owner));
    // Temporary files that a power failure left beside the records are removed with the last record.
    const isLast = left.every((name) => name.endsWith(LEFTOVER_SUFFIX));
    if (isLast) await rm(this.folder(owner), { recursive: true });
    await syncFolder(isLast ? this.#base : this.folder(owner));
    this.#changes.record();
  }

  folder(owner: Owner): string {
    return join(this.#base, `${owner.uid}`);
  }

  #file(owner: Owner, appId: number): string {
    return join(this.folder(owner), `${appId}.json`);
  }

  async traces(owner: Owner): Promise<Trace[]> {
    const records = await this.of(owner);
    return records.map(({ appId }) => left('record of app', `${appId}`));
  }
}

function readRecord(text: string): AppRecord | undefined {
  try {
    return recordSchema.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}

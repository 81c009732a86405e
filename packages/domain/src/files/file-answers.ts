import { z } from 'zod';
import { isWirePath } from './wire-path.ts';

/**
 * What the file program of an account answers. The API reads every answer with these schemas, because the account can
 * replace or change the program that runs with its rights.
 */

/** Why a request failed. The panel has a sentence for each. */
export const fileFailures = [
  'archive',
  'cancelled',
  'changed',
  'denied',
  'exists',
  'inside_itself',
  'invalid',
  'io',
  'is_folder',
  'lost',
  'name_too_long',
  'no_space',
  'not_file',
  'not_folder',
  'not_found',
  'offset',
  'outside',
  'quota',
  'too_large',
  'too_many',
] as const;
export type FileFailureCode = (typeof fileFailures)[number];

const wirePath = z.string().max(16_384).refine(isWirePath);
const wireName = z
  .string()
  .min(1)
  .max(1_024)
  .refine((name) => isWirePath(name) && !name.includes('/'));
const count = z.number().int().min(0).max(Number.MAX_SAFE_INTEGER);
const time = z.number().min(-8.64e15).max(8.64e15);
/** Size, time of the last change and inode: it differs after any change of the file. */
export const fileEtag = z.string().regex(/^"[0-9a-f]{1,16}-[0-9a-f]{1,20}-[0-9a-f]{1,16}"$/);

export const fileEntry = z.object({
  name: wireName,
  /** `other`: a named pipe, a socket or a device. */
  kind: z.enum(['file', 'folder', 'link', 'other']),
  /** Bytes. */
  size: count,
  mtime_ms: time,
  /** Permissions: the last 12 bits of the mode. */
  mode: z.number().int().min(0).max(0o7777),
  /** Only for links: what the link says, and where it leads. */
  target: z.string().max(16_384).optional(),
  leads_to: z.enum(['file', 'folder', 'other', 'nothing', 'outside']).optional(),
});
export type FileEntry = z.infer<typeof fileEntry>;

export const fileStat = fileEntry.extend({ path: wirePath, etag: fileEtag });
export type FileStat = z.infer<typeof fileStat>;

export const fileOrders = ['name', 'size', 'time'] as const;
export type FileOrder = (typeof fileOrders)[number];

export const fileList = z.object({
  path: wirePath,
  entries: z.array(fileEntry).max(20_000),
  /** Entries of the folder that match the filter. */
  total: count,
  /** The folder has more entries than the program reads. */
  is_cut: z.boolean(),
});
export type FileList = z.infer<typeof fileList>;

/** The folders inside each folder of a path, from the home down to the last. */
export const folderTree = z.object({
  levels: z
    .array(z.object({ path: wirePath, folders: z.array(wireName).max(500), is_cut: z.boolean() }))
    .max(130),
});
export type FolderTree = z.infer<typeof folderTree>;

export const uploadState = z.object({ offset: count });

export const filePaths = z.object({ paths: z.array(wirePath).max(10_000) });

export const trashList = z.object({
  items: z
    .array(
      z.object({
        /** Name in the trash. */
        name: wireName,
        /** Where it was. Null: not known. */
        path: wirePath.nullable(),
        deleted_ms: time.nullable(),
        kind: fileEntry.shape.kind,
        size: count,
      }),
    )
    .max(20_000),
  is_cut: z.boolean(),
});
export type TrashList = z.infer<typeof trashList>;

export const searchFinds = z.object({
  finds: z
    .array(
      z.object({
        path: wirePath,
        kind: fileEntry.shape.kind,
        /** Number and text of the first line that has the searched text. */
        line: count.optional(),
        excerpt: z.string().max(300).optional(),
      }),
    )
    .max(1_000),
  /** The search ended early: enough was found, or it took too long. */
  is_cut: z.boolean(),
});
export type SearchFinds = z.infer<typeof searchFinds>;

export const jobKinds = ['copy', 'remove', 'archive', 'extract'] as const;
export type FileJobKind = (typeof jobKinds)[number];

export const fileJob = z.object({
  id: z.string().regex(/^[0-9a-f]{32}$/),
  kind: z.enum(jobKinds),
  /** What the job works on, for people. */
  path: wirePath,
  state: z.enum(['running', 'done', 'failed', 'lost']),
  /** Bytes or entries that are done, of how many. 0: not known yet. */
  done: count,
  total: count,
  unit: z.enum(['bytes', 'entries']),
  started_ms: time,
  /** The result of a job that is done. */
  result: wirePath.optional(),
  /** Entries that were left out: links in a zip archive, pipes, sockets, devices, unreadable files. */
  skipped: count.optional(),
  failure: z.enum(fileFailures).optional(),
  detail: z.string().max(300).optional(),
});
export type FileJob = z.infer<typeof fileJob>;
export const fileJobs = z.object({ jobs: z.array(fileJob).max(100) });

export const fileRefusal = z.object({
  failure: z.enum(fileFailures),
  /** More about it: the sentence of a refused archive. */
  detail: z.string().max(300).optional(),
  /** Only for `offset`: where the upload goes on. */
  offset: count.optional(),
});

/** Text above this size in bytes is not edited in the browser. */
export const EDITED_TEXT_MAX_BYTES = 2 * 1024 * 1024;

/** Names of the archives that the file manager extracts. */
export const ARCHIVE_NAME = /\.(?:zip|tar\.gz|tgz|tar)$/i;

import { createHash } from 'node:crypto';
import { z } from 'zod';

/**
 * The read position and the totals: one file on disk, replaced atomically. So both are from before a write, or both
 * from after it.
 */
const HEAD_BYTES = 256;
const TAIL_BYTES = 4_096;

const markSchema = z.strictObject({
  bytes: z.int().min(0).max(TAIL_BYTES),
  digest: z.string().max(64),
});
const fileSchema = z.strictObject({
  /** Device and inode. */
  id: z.string().regex(/^\d+:\d+$/),
  offset: z.int().min(0),
  /**
   * The start of the file, and the bytes right before `offset`: they show whether it is still the file that was read.
   */
  head: markSchema,
  tail: markSchema,
  /** When the file was first seen, Unix ms. */
  since: z.int().min(0),
});
export const trafficStateSchema = z.strictObject({
  version: z.literal(1),
  /** The file that nginx writes to, and older files that are not fully read yet. */
  files: z.array(fileSchema).max(1_000),
  /** Bytes sent, by calendar month in UTC and uid. */
  months: z.record(
    z.string().regex(/^\d{4}-\d\d$/),
    z.record(z.string().regex(/^\d{5,10}$/), z.number().min(0)),
  ),
});

export type Mark = z.infer<typeof markSchema>;
export type FilePosition = z.infer<typeof fileSchema>;
export type TrafficState = z.infer<typeof trafficStateSchema>;

export const emptyTrafficState = (): TrafficState => ({ version: 1, files: [], months: {} });

export function positionAtStart(id: string, since: number): FilePosition {
  const nothing = { bytes: 0, digest: '' };
  return { id, offset: 0, head: nothing, tail: nothing, since };
}

/** Moves a position past counted bytes, in one step with the counting. */
export function advance(file: FilePosition, read: Buffer): void {
  if (file.offset === 0) file.head = markOf(read.subarray(0, HEAD_BYTES));
  file.tail = markOf(read.subarray(-TAIL_BYTES));
  file.offset += read.length;
}

export function markOf(bytes: Buffer): Mark {
  return { bytes: bytes.length, digest: createHash('sha256').update(bytes).digest('base64url') };
}

export const isMarked = (bytes: Buffer, mark: Mark): boolean => markOf(bytes).digest === mark.digest;

/** The calendar month in UTC: `2026-11`. */
export function monthOf(unixMs: number): string {
  return new Date(unixMs).toISOString().slice(0, 7);
}

/** The month and the previous one: lines of a request that ended just before midnight may be read after midnight. */
export function keptMonths(unixMs: number): string[] {
  const now = new Date(unixMs);
  return [monthOf(unixMs), monthOf(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 1, 1))];
}

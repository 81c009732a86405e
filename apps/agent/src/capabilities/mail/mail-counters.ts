import { readFile, stat } from 'node:fs/promises';
import { ifThere, listIfThere } from '../../node/if-there.ts';

/** submit-mail counts here: a file for each account that has ever sent. */
export const COUNTERS = '/var/lib/innkeeper-mail/counts';

const LINE = /^hour (\d{1,10}) (\d{1,10}) (\d{1,10}) \d{1,15} day (\d{1,10}) (\d{1,10}) (\d{1,10})$/m;
const UID = /^[1-9]\d{0,9}$/;
const DAY_MS = 86_400_000;

/** Recipients of an account in the newest hour and on the newest day that it sent in. */
export interface MailCounts {
  readonly hour: number;
  readonly hour_sent: number;
  readonly hour_refused: number;
  readonly day: number;
  readonly day_sent: number;
  readonly day_refused: number;
}

/** Undefined for a text that submit-mail has not written. */
export function readCounts(text: string): MailCounts | undefined {
  const [, ...numbers] = LINE.exec(text) ?? [];
  if (numbers.length === 0) return undefined;
  const [hour, hour_sent, hour_refused, day, day_sent, day_refused] = numbers.map(Number);
  return {
    hour: hour!,
    hour_sent: hour_sent!,
    hour_refused: hour_refused!,
    day: day!,
    day_sent: day_sent!,
    day_refused: day_refused!,
  };
}

export async function readCountsOf(uid: number, folder = COUNTERS): Promise<MailCounts | undefined> {
  return readCounts((await ifThere(readFile(`${folder}/${uid}`, 'latin1'))) ?? '');
}

/** The counters that changed on this day or the one before, by uid. Reads no other file. */
export async function readRecentCounts(
  unixMs: number,
  folder = COUNTERS,
): Promise<ReadonlyMap<number, MailCounts>> {
  const since = unixMs - DAY_MS - (unixMs % DAY_MS);
  const counts = new Map<number, MailCounts>();
  for (const name of await listIfThere(folder)) {
    if (!UID.test(name)) continue;
    const stats = await ifThere(stat(`${folder}/${name}`));
    if (stats === undefined || stats.mtimeMs < since) continue;
    const own = await readCountsOf(Number(name), folder);
    if (own !== undefined) counts.set(Number(name), own);
  }
  return counts;
}

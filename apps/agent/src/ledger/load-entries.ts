import { mkdir, readdir, readFile, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import type { AccountSpec } from '@innkeeper/protocol';
import { LEFTOVER_SUFFIX, syncFolder } from '../node/durable-files.ts';
import { entryFileSchema, type LedgerEntry, ledgerEntrySchema } from './ledger-entry.ts';
import type { LedgerSeal } from './ledger-seal.ts';

/** An invalid file, and the path to which it was moved for an operator to inspect. */
export interface QuarantinedFile {
  file: string;
  reason: string;
}

export interface LoadedEntries {
  entries: LedgerEntry[];
  /** Accounts whose secrets an earlier release stored unencrypted. */
  unsealed: number[];
  quarantined: QuarantinedFile[];
  /** The control plane has sent, or will send, every account that is missing here. */
  complete: boolean;
}

/** This file exists while nothing was lost since the agent's last report to the control plane. */
export const COMPLETE_MARK = 'complete';

const ENTRY_NAME = /^([1-9]\d{0,15})\.json$/;
const PARALLEL_READS = 64;

/** The folder of quarantined files, inside the ledger's folder. */
const QUARANTINE_FOLDER = 'quarantine';

/**
 * Reads every entry of a ledger folder. Removes unfinished writes. Moves a file that is not a valid entry of the
 * account in its name to the quarantine folder, and still loads the rest.
 */
export async function loadEntries(folder: string, seal: LedgerSeal): Promise<LoadedEntries> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const names = await readdir(folder);
  const loaded: LoadedEntries = {
    entries: [],
    unsealed: [],
    quarantined: await listQuarantine(folder),
    complete: names.includes(COMPLETE_MARK),
  };
  const entryNames = names.filter((name) => name.endsWith('.json'));
  for (const name of names)
    if (name.endsWith(LEFTOVER_SUFFIX)) await rm(path.join(folder, name), { force: true });
  for (let start = 0; start < entryNames.length; start += PARALLEL_READS) {
    const batch = entryNames.slice(start, start + PARALLEL_READS);
    await Promise.all(batch.map((name) => loadEntry(folder, name, seal, loaded)));
  }
  loaded.entries.sort((a, b) => a.spec.account_id - b.spec.account_id);
  return loaded;
}

async function loadEntry(
  folder: string,
  name: string,
  seal: LedgerSeal,
  loaded: LoadedEntries,
): Promise<void> {
  const file = path.join(folder, name);
  const parsed = parseEntry(name, await readFile(file, 'utf8'), seal);
  if (typeof parsed !== 'string') {
    loaded.entries.push(parsed.entry);
    if (!parsed.isSealed) loaded.unsealed.push(parsed.entry.spec.account_id);
    return;
  }
  // First, so that a crash in between cannot lose the account unnoticed.
  await rm(path.join(folder, COMPLETE_MARK), { force: true });
  await syncFolder(folder);
  loaded.complete = false;
  const set = path.join(folder, QUARANTINE_FOLDER, `${name}.${Date.now()}`);
  await mkdir(path.dirname(set), { recursive: true, mode: 0o700 });
  await rename(file, set);
  await syncFolder(folder);
  loaded.quarantined.push({ file: set, reason: parsed });
}

/** Returns the entry, or a sentence that describes the error in the text. */
function parseEntry(
  name: string,
  text: string,
  seal: LedgerSeal,
): { entry: LedgerEntry; isSealed: boolean } | string {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return 'The file is not JSON.';
  }
  const file = entryFileSchema.safeParse(value);
  const isSealed = file.data?.sealed !== undefined;
  if (file.data?.sealed !== undefined) {
    const { sealed, spec, ...rest } = file.data;
    try {
      value = { ...rest, spec: seal.open(spec as AccountSpec, sealed) };
    } catch {
      return 'The key of this server does not decrypt its secrets.';
    }
  }
  const parsed = ledgerEntrySchema.safeParse(value);
  if (!parsed.success) {
    const fields = parsed.error.issues.map((issue) => issue.path.join('.') || 'the whole entry');
    return `Not a valid entry: ${fields.slice(0, 5).join(', ')}.`;
  }
  const named = ENTRY_NAME.exec(name)?.[1];
  if (String(parsed.data.spec.account_id) !== named)
    return `The entry belongs to account ${parsed.data.spec.account_id}, which the file's name does not say.`;
  return { entry: parsed.data, isSealed };
}

async function listQuarantine(folder: string): Promise<QuarantinedFile[]> {
  const set = path.join(folder, QUARANTINE_FOLDER);
  const names = await readdir(set).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  return names.map((name) => ({ file: path.join(set, name), reason: 'Quarantined at an earlier start.' }));
}

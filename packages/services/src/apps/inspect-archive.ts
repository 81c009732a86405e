import { ArchiveCheck, invalidField } from '@innkeeper/domain';
import { type Entry, fromRandomAccessReaderPromise, getFileNameLowLevel, RandomAccessReader } from 'yauzl';

const READ_AHEAD_BYTES = 256 * 1024;

/**
 * Reads the directory of an archive. Throws DomainError `invalid` on `archive` with the first error. Returns the folder
 * that has all files, if there is one.
 */
export async function inspectArchive(archive: UploadedArchive): Promise<{ onlyFolder: string | undefined }> {
  const check = new ArchiveCheck(archive.bytes);
  const refusal = await findRefusal(archive, check);
  if (refusal !== undefined) throw invalidField('archive', refusal);
  return { onlyFolder: check.onlyFolder() };
}

async function findRefusal(archive: UploadedArchive, check: ArchiveCheck): Promise<string | undefined> {
  const reader = new ArchiveReader(archive);
  try {
    const zip = await fromRandomAccessReaderPromise(reader, archive.bytes, {
      autoClose: false,
      decodeStrings: false,
    });
    const tooMany = check.refuseCount(zip.entryCount);
    if (tooMany !== undefined) return tooMany;
    for await (const entry of zip.eachEntry()) {
      const refusal = check.add({ ...entry, name: nameOf(entry) });
      if (refusal !== undefined) return refusal;
    }
    return check.finish();
  } catch (error) {
    if (reader.failure !== undefined) throw reader.failure;
    return `The archive field must be a ZIP archive: ${sentence((error as Error).message)}`;
  }
}

/** Decodes the name as the unpacker, which uses the same library, will. Backslashes are not converted. */
function nameOf({ generalPurposeBitFlag, fileNameRaw, extraFields }: Entry): string {
  return getFileNameLowLevel(generalPurposeBitFlag, fileNameRaw, extraFields, true);
}

/** Messages of the library can quote bytes of the archive. */
function sentence(message: string): string {
  return `${message.replaceAll(/[^\x20-\x7e]/g, '?').slice(0, 200)}`.replace(/\.?$/, '.');
}

/**
 * Reads ahead, because a directory is read in small steps. Returns an error for a position outside the archive.
 * Otherwise an invalid position would throw where nothing catches it.
 */
class ArchiveReader extends RandomAccessReader {
  /** Why reading the archive failed although its bytes should be there. */
  failure: Error | undefined;
  readonly #archive: UploadedArchive;
  #block = new Uint8Array(0);
  #blockStart = 0;

  constructor(archive: UploadedArchive) {
    super();
    this.#archive = archive;
  }

  override read(
    buffer: Buffer,
    offset: number,
    length: number,
    position: number,
    callback: (error: Error | null, bytesRead?: number) => void,
  ): void {
    const isInside =
      Number.isSafeInteger(position) && position >= 0 && position + length <= this.#archive.bytes;
    if (!isInside) {
      setImmediate(callback, new Error('it ends before its directory does'));
      return;
    }
    this.#load(position, length).then(
      () => {
        const start = position - this.#blockStart;
        buffer.set(this.#block.subarray(start, start + length), offset);
        callback(null, length);
      },
      (error: Error) => {
        this.failure = error;
        callback(error);
      },
    );
  }

  async #load(position: number, length: number): Promise<void> {
    const end = this.#blockStart + this.#block.length;
    if (position >= this.#blockStart && position + length <= end) return;
    const size = Math.min(Math.max(length, READ_AHEAD_BYTES), this.#archive.bytes - position);
    const block = new Uint8Array(size);
    await this.#archive.read(block, position);
    this.#block = block;
    this.#blockStart = position;
  }
}

/** A completely received archive, wherever it is stored. */
export interface UploadedArchive {
  bytes: number;
  /** Hexadecimal. */
  sha256: string;
  /** Fills `into` with the bytes from `position` on. Rejects if the archive ends before that. */
  read(into: Uint8Array, position: number): Promise<void>;
}

/**
 * Rules for an uploaded archive, checked entry by entry from its directory. Pure, so that the receiver and the unpacker
 * apply the same rules. Untrusted: the directory can lie about sizes. The unpacker also counts the bytes, and stops at
 * the size in the directory.
 */

/** Default maximum size of an archive in bytes. The configuration can change it. */
export const ARCHIVE_MAX_BYTES = 512 * 1024 * 1024;
/** Upper bound in bytes for the configured maximum. No node fetches a larger archive. */
export const ARCHIVE_HIGHEST_LIMIT_BYTES = 4 * 1024 ** 3;
export const ARCHIVE_MAX_ENTRIES = 20_000;
/** Maximum size of all files in bytes, unpacked. */
export const ARCHIVE_MAX_UNPACKED_BYTES = 4 * 1024 ** 3;
/** Maximum ratio of unpacked bytes to bytes of the archive. */
export const ARCHIVE_MAX_RATIO = 100;
const PATH_MAX_CHARACTERS = 1_024;
const NAME_MAX_BYTES = 255;
const MAX_DEPTH = 64;

/** One entry of a ZIP archive's central directory. */
export interface ArchiveEntry {
  /** The decoded name in the directory. */
  name: string;
  /** Bytes. */
  compressedSize: number;
  uncompressedSize: number;
  compressionMethod: number;
  generalPurposeBitFlag: number;
  externalFileAttributes: number;
}

const STORED = 0;
const DEFLATED = 8;
/** Encrypted, strongly encrypted, or with an encrypted directory. */
const ENCRYPTED_BITS = 0x0001 | 0x0040 | 0x2000;
const FILE_TYPE_MASK = 0o170000;
type FileType = 'file' | 'folder' | 'a link';
const fileTypes: ReadonlyMap<number, FileType> = new Map([
  [0, 'file'],
  [0o100000, 'file'],
  [0o040000, 'folder'],
  [0o120000, 'a link'],
]);

export interface ArchiveLimits {
  entries: number;
  /** Size of all files in bytes, unpacked. */
  unpackedBytes: number;
}

/** Limits of a release of an app. */
const releaseLimits: ArchiveLimits = {
  entries: ARCHIVE_MAX_ENTRIES,
  unpackedBytes: ARCHIVE_MAX_UNPACKED_BYTES,
};

/** Messages start with the name of the field, so that they can be shown at the field. */
const refusals = {
  entries: ({ entries }: ArchiveLimits) => `The archive field must not have more than ${entries} entries.`,
  unpacked: ({ unpackedBytes }: ArchiveLimits) =>
    `The archive field must not unpack to more than ${unpackedBytes / 1024 ** 3} GiB.`,
  ratio: `The archive field must not unpack to more than ${ARCHIVE_MAX_RATIO} times its size.`,
  empty: 'The archive field must have at least one entry.',
  overlap: 'The archive field must not have entries that share their data.',
} as const;

/** Checks a directory once. The first error ends the check. */
export class ArchiveCheck {
  readonly #archiveBytes: number;
  readonly #limits: ArchiveLimits;
  readonly #kinds = new Map<string, 'file' | 'folder'>();
  #entries = 0;
  #unpackedBytes = 0;
  #packedBytes = 0;

  /** `archiveBytes`: size of the whole archive. */
  constructor(archiveBytes: number, limits: ArchiveLimits = releaseLimits) {
    this.#archiveBytes = archiveBytes;
    this.#limits = limits;
  }

  /** The error message for this number of entries. Undefined if it is allowed. */
  refuseCount(entries: number): string | undefined {
    return entries > this.#limits.entries ? refusals.entries(this.#limits) : undefined;
  }

  /** The error message for this entry. Undefined if it is allowed. */
  add(entry: ArchiveEntry): string | undefined {
    this.#entries += 1;
    this.#unpackedBytes += entry.uncompressedSize;
    this.#packedBytes += entry.compressedSize;
    return (
      this.refuseCount(this.#entries) ??
      refuseName(entry.name) ??
      refuseKind(entry) ??
      this.#refuseSizes() ??
      this.#refusePlace(entry)
    );
  }

  /**
   * The error message for the complete archive: it is empty, or a file is where other entries need a folder. Undefined
   * if it is valid.
   */
  finish(): string | undefined {
    if (this.#kinds.size === 0) return refusals.empty;
    for (const path of this.#kinds.keys())
      for (let end = path.indexOf('/'); end !== -1; end = path.indexOf('/', end + 1))
        if (this.#kinds.get(path.slice(0, end)) === 'file') return refuse(path, 'lies in what is a file');
    return undefined;
  }

  /**
   * The folder that has everything of the archive, as when somebody packs a folder instead of its content. Its files are
   * not where a site looks for them. Undefined for every other archive.
   */
  onlyFolder(): string | undefined {
    const tops = new Set(
      [...this.#kinds.keys()].map((path) => path.split('/', 1)[0] ?? '').filter((top) => top !== '__MACOSX'),
    );
    const [only] = tops;
    return tops.size === 1 && only !== undefined && this.#kinds.get(only) !== 'file' ? only : undefined;
  }

  #refuseSizes(): string | undefined {
    if (this.#unpackedBytes > this.#limits.unpackedBytes) return refusals.unpacked(this.#limits);
    if (this.#unpackedBytes > this.#archiveBytes * ARCHIVE_MAX_RATIO) return refusals.ratio;
    return this.#packedBytes > this.#archiveBytes ? refusals.overlap : undefined;
  }

  /** Rejects two entries with the same name. */
  #refusePlace(entry: ArchiveEntry): string | undefined {
    const parts = archivePathOf(entry.name);
    const kind = isFolder(entry) ? 'folder' : 'file';
    if (parts.length > MAX_DEPTH) return refuse(entry.name, `lies in more than ${MAX_DEPTH} folders`);
    if (parts.length === 0)
      return kind === 'folder' ? undefined : refuse(entry.name, 'is the name of no file');
    const path = parts.join('/');
    if (this.#kinds.has(path)) return refuse(entry.name, 'is there twice');
    this.#kinds.set(path, kind);
    return undefined;
  }
}

/** The folders and the file name that an entry unpacks to: `./a//b/` gives a, b. */
export function archivePathOf(name: string): string[] {
  return name.split('/').filter((part) => part !== '' && part !== '.');
}

/** Whether an entry's mode makes its file executable. */
export function isExecutable({
  externalFileAttributes,
}: Pick<ArchiveEntry, 'externalFileAttributes'>): boolean {
  return ((externalFileAttributes >>> 16) & 0o111) !== 0;
}

/** Whether an entry is a folder. */
export function isFolder({ name, externalFileAttributes }: ArchiveEntry): boolean {
  return name.endsWith('/') || typeOf(externalFileAttributes) === 'folder';
}

function refuseName(name: string): string | undefined {
  if (name === '') return refuse(name, 'has no name');
  if (name.length > PATH_MAX_CHARACTERS) return refuse(name, 'has a name that is too long');
  if (/[\p{Cc}\ufffd]/u.test(name)) return refuse(name, 'has a name with control characters');
  if (name.includes('\\')) return refuse(name, 'has a name with a backslash');
  if (name.startsWith('/') || /^[A-Za-z]:/.test(name)) return refuse(name, 'has an absolute path');
  const parts = name.split('/');
  if (parts.includes('..')) return refuse(name, 'has a path with ..');
  if (parts.some((part) => new TextEncoder().encode(part).length > NAME_MAX_BYTES))
    return refuse(name, 'has a name that is too long');
  return undefined;
}

function refuseKind(entry: ArchiveEntry): string | undefined {
  if ((entry.generalPurposeBitFlag & ENCRYPTED_BITS) !== 0) return refuse(entry.name, 'is encrypted');
  const type = typeOf(entry.externalFileAttributes);
  if (type === undefined) return refuse(entry.name, 'is a device or a socket');
  if (type === 'a link') return refuse(entry.name, 'is a link');
  if (entry.compressionMethod !== STORED && entry.compressionMethod !== DEFLATED)
    return refuse(entry.name, 'is compressed in another way than deflate');
  if (isFolder(entry) && entry.uncompressedSize > 0) return refuse(entry.name, 'is a folder with content');
  if (type === 'folder' && !entry.name.endsWith('/'))
    return refuse(entry.name, 'is a folder without a slash at its end');
  return undefined;
}

/** The upper half of the attributes is a Unix mode, regardless of the operating system in the entry. */
function typeOf(externalFileAttributes: number): FileType | undefined {
  return fileTypes.get((externalFileAttributes >>> 16) & FILE_TYPE_MASK);
}

function refuse(name: string, why: string): string {
  const shown = name.replaceAll(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, '?').slice(0, 100);
  return `The archive field must not have such an entry: "${shown}" ${why}.`;
}

import { crc32, deflateRawSync } from 'node:zlib';

/** One entry of a test archive. Every value may be wrong on purpose. */
export interface ZipEntry {
  name: string | Buffer;
  data?: string | Buffer;
  /** Default: deflated. */
  isStored?: boolean;
  /** Unix mode with the file type. Default: a file, or a folder if the name ends with a slash. */
  mode?: number;
  /** Default: the name is UTF-8. */
  flags?: number;
  method?: number;
  /** Wrong values for the central directory. */
  claims?: { compressedSize?: number; uncompressedSize?: number; offset?: number };
  extra?: Buffer;
}

/** Wrong values for the end of the central directory. */
export interface ZipEnd {
  entries?: number;
  offset?: number;
}

const UTF8_NAME = 0x0800;
const STORED = 0;
const DEFLATED = 8;
const MADE_ON_UNIX = 0x031e;

/** Builds a ZIP archive byte by byte, so that it can be as malformed as an attacker's. */
export function makeZip(entries: readonly ZipEntry[], end: ZipEnd = {}): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const entry of entries) {
    const made = makeEntry(entry, offset);
    parts.push(made.local);
    directory.push(made.central);
    offset += made.local.length;
  }
  const central = Buffer.concat(directory);
  const last = Buffer.alloc(22);
  last.writeUInt32LE(0x06054b50, 0);
  last.writeUInt16LE((end.entries ?? entries.length) & 0xffff, 8);
  last.writeUInt16LE((end.entries ?? entries.length) & 0xffff, 10);
  last.writeUInt32LE(central.length, 12);
  last.writeUInt32LE(end.offset ?? offset, 16);
  return Buffer.concat([...parts, central, last]);
}

function makeEntry(entry: ZipEntry, offset: number): { local: Buffer; central: Buffer } {
  const name = Buffer.from(entry.name as string);
  const isFolder = name.at(-1) === '/'.charCodeAt(0);
  const data = Buffer.from((entry.data ?? '') as string);
  const method = entry.method ?? (entry.isStored === true || isFolder ? STORED : DEFLATED);
  const packed = method === DEFLATED ? deflateRawSync(data) : data;
  const flags = entry.flags ?? UTF8_NAME;
  const extra = entry.extra ?? Buffer.alloc(0);
  const { claims = {} } = entry;

  const common = Buffer.alloc(26);
  common.writeUInt16LE(20, 0);
  common.writeUInt16LE(flags, 2);
  common.writeUInt16LE(method, 4);
  common.writeUInt32LE(crc32(data), 10);
  common.writeUInt32LE((claims.compressedSize ?? packed.length) >>> 0, 14);
  common.writeUInt32LE((claims.uncompressedSize ?? data.length) >>> 0, 18);
  common.writeUInt16LE(name.length, 22);
  common.writeUInt16LE(extra.length, 24);

  const attributes = Buffer.alloc(14);
  const mode = entry.mode ?? (isFolder ? 0o040755 : 0o100644);
  attributes.writeUInt32LE((mode * 0x10000) >>> 0, 6);
  attributes.writeUInt32LE((claims.offset ?? offset) >>> 0, 10);
  const made = Buffer.alloc(2);
  made.writeUInt16LE(MADE_ON_UNIX, 0);
  return {
    local: Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), common, name, extra, packed]),
    central: Buffer.concat([Buffer.from('PK\x01\x02', 'latin1'), made, common, attributes, name, extra]),
  };
}

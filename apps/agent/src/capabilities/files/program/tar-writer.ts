import type { Stats } from 'node:fs';

const BLOCK_BYTES = 512;
const NAME_BYTES = 100;
const SIZE_MAX_OCTAL = 0o77777777777;

/**
 * Headers of a tar archive in GNU format, which every tar reads. Names are bytes and may have any length, which the packages
 * for tar archives do not allow.
 */
export function tarHeader(
  path: Buffer,
  stats: Pick<Stats, 'mode' | 'size' | 'mtimeMs'> & { kind: 'file' | 'folder' | 'link'; target?: Buffer },
): Buffer {
  const name = stats.kind === 'folder' ? Buffer.concat([path, Buffer.from('/')]) : path;
  const target = stats.target ?? Buffer.alloc(0);
  return Buffer.concat([
    ...(target.length > NAME_BYTES ? [longName('K', target)] : []),
    ...(name.length > NAME_BYTES ? [longName('L', name)] : []),
    block({
      name,
      target,
      mode: stats.mode & 0o777,
      size: stats.kind === 'file' ? stats.size : 0,
      mtimeS: Math.max(0, Math.floor(stats.mtimeMs / 1_000)),
      type: { file: '0', folder: '5', link: '2' }[stats.kind],
    }),
  ]);
}

/** Fills the last block of a file's content. */
export function tarPadding(size: number): Buffer {
  return Buffer.alloc((BLOCK_BYTES - (size % BLOCK_BYTES)) % BLOCK_BYTES);
}

export function tarEnd(): Buffer {
  return Buffer.alloc(2 * BLOCK_BYTES);
}

function longName(type: 'K' | 'L', text: Buffer): Buffer {
  const size = text.length + 1;
  const header = block({
    name: Buffer.from('././@LongLink'),
    target: Buffer.alloc(0),
    mode: 0,
    size,
    mtimeS: 0,
    type,
  });
  return Buffer.concat([header, text, Buffer.alloc(1), tarPadding(size)]);
}

interface Fields {
  name: Buffer;
  target: Buffer;
  mode: number;
  size: number;
  mtimeS: number;
  type: string;
}

function block({ name, target, mode, size, mtimeS, type }: Fields): Buffer {
  const header = Buffer.alloc(BLOCK_BYTES);
  name.copy(header, 0, 0, NAME_BYTES);
  header.write(octal(mode, 7), 100, 'latin1');
  header.write(octal(0, 7), 108, 'latin1');
  header.write(octal(0, 7), 116, 'latin1');
  writeSize(header, size);
  header.write(octal(mtimeS, 11), 136, 'latin1');
  header.write('        ', 148, 'latin1');
  header.write(type, 156, 'latin1');
  target.copy(header, 157, 0, NAME_BYTES);
  header.write('ustar  \0', 257, 'latin1');
  let sum = 0;
  for (const byte of header) sum += byte;
  header.write(`${octal(sum, 6)}\0 `, 148, 'latin1');
  return header;
}

/** From 8 GiB the size is a binary number, as GNU tar writes it. */
function writeSize(header: Buffer, size: number): void {
  if (size <= SIZE_MAX_OCTAL) {
    header.write(octal(size, 11), 124, 'latin1');
    return;
  }
  header[124] = 0x80;
  header.writeBigUInt64BE(BigInt(size), 128);
}

function octal(value: number, digits: number): string {
  return value.toString(8).padStart(digits, '0');
}

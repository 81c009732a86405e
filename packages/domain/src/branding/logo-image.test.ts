import { crc32, deflateSync } from 'node:zlib';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { LOGO_MAX_BYTES, readLogo } from './logo-image.ts';

function png(width: number, height: number): Uint8Array {
  const chunk = (type: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
    const length = Buffer.alloc(4);
    length.writeUInt32BE(data.length);
    const sum = Buffer.alloc(4);
    sum.writeUInt32BE(crc32(body));
    return Buffer.concat([length, body, sum]);
  };
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 0], 8);
  const start = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  const pixels = deflateSync(Buffer.alloc((width + 1) * height));
  return Buffer.concat([start, chunk('IHDR', header), chunk('IDAT', pixels), chunk('IEND', Buffer.alloc(0))]);
}

/** The segments up to the frame header: JFIF, a comment, the size. */
function jpeg(width: number, height: number): Uint8Array {
  const frame = Buffer.from([0xff, 0xc2, 0, 11, 8, 0, 0, 0, 0, 1, 1, 0x11, 0]);
  frame.writeUInt16BE(height, 5);
  frame.writeUInt16BE(width, 7);
  const comment = Buffer.from([0xff, 0xff, 0xfe, 0, 6, 1, 2, 3, 4]);
  const jfif = Buffer.from([0xff, 0xe0, 0, 16, ...Buffer.from('JFIF\0'), 1, 1, 0, 0, 1, 0, 1, 0, 0]);
  return Buffer.concat([Buffer.from([0xff, 0xd8]), jfif, comment, frame, Buffer.from([0xff, 0xd9])]);
}

function webp(kind: 'VP8 ' | 'VP8L' | 'VP8X', width: number, height: number): Uint8Array {
  const bytes = Buffer.alloc(40);
  bytes.write('RIFF', 0, 'latin1');
  bytes.write('WEBP', 8, 'latin1');
  bytes.write(kind, 12, 'latin1');
  if (kind === 'VP8 ') {
    bytes.writeUInt16LE(width, 26);
    bytes.writeUInt16LE(height, 28);
  } else if (kind === 'VP8L') bytes.writeUInt32LE((width - 1) | ((height - 1) << 14), 21);
  else {
    bytes.writeUIntLE(width - 1, 24, 3);
    bytes.writeUIntLE(height - 1, 27, 3);
  }
  return bytes;
}

it.each([
  ['PNG', png(64, 48), 'image/png'],
  ['JPEG', jpeg(64, 48), 'image/jpeg'],
  ['lossy WebP', webp('VP8 ', 64, 48), 'image/webp'],
  ['lossless WebP', webp('VP8L', 64, 48), 'image/webp'],
  ['extended WebP', webp('VP8X', 64, 48), 'image/webp'],
] as const)('%s is read from its own bytes', (_, bytes, type) => {
  expect(readLogo(bytes)).toEqual({ type, width: 64, height: 48 });
});

it.each([
  ['nothing', new Uint8Array(), 'Choose an image.'],
  ['SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>1</script></svg>'), 'not a PNG'],
  ['HTML behind the first bytes of a PNG', Buffer.from('\x89PNG\r\n\x1a\n<html>', 'latin1'), 'not a PNG'],
  ['GIF', Buffer.from('GIF89a@\0@\0'.padEnd(40, '\0'), 'latin1'), 'not a PNG'],
  ['more bytes than allowed', Buffer.concat([png(64, 64), Buffer.alloc(LOGO_MAX_BYTES)]), 'larger than 100'],
  ['more pixels than allowed', png(16, 1_025), '16 × 1025 pixels'],
  ['fewer pixels than allowed', jpeg(15, 64), '15 × 64 pixels'],
  ['no pixels', png(0, 0), '0 × 0 pixels'],
])('%s is refused with the reason', (_, bytes, reason) => {
  expect(readLogo(bytes)).toContain(reason);
});

it('no bytes crash it or make it run for ever', () => {
  const starts = [png(20, 20), jpeg(20, 20), webp('VP8X', 20, 20), new Uint8Array()];
  fc.assert(
    fc.property(
      fc.constantFrom(...starts),
      fc.nat(60),
      fc.uint8Array({ maxLength: 80 }),
      (start, at, noise) => {
        const answer = readLogo(Buffer.concat([start.subarray(0, at), noise]));
        expect(['string', 'object']).toContain(typeof answer);
      },
    ),
  );
});

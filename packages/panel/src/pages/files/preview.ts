import { readRasterImage } from '@innkeeper/domain';

export const PREVIEW_MAX_BYTES = 20 * 1024 * 1024;
/** A small file can be a picture of a gigapixel, which the browser would unpack. */
const MOST_PIXELS = 50_000_000;
/** Where the size of a JPEG is, after its thumbnails. */
export const PREVIEW_HEAD_BYTES = 256 * 1024;

/**
 * The type of a picture that browsers may show, from its own bytes. SVG is never one: it is a page with scripts. Undefined: no picture, or
 * too large.
 */
export function previewType(head: Uint8Array): string | undefined {
  const image = readRasterImage(head) ?? readGif(head);
  if (image === undefined || image.width * image.height > MOST_PIXELS) return undefined;
  return image.type;
}

function readGif(bytes: Uint8Array): { type: string; width: number; height: number } | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const start = String.fromCharCode(...bytes.subarray(0, 6));
  if (bytes.length < 10 || (start !== 'GIF87a' && start !== 'GIF89a')) return undefined;
  return { type: 'image/gif', width: view.getUint16(6, true), height: view.getUint16(8, true) };
}

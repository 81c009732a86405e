export interface LogoImage {
  type: 'image/png' | 'image/jpeg' | 'image/webp';
  /** In pixels. */
  width: number;
  height: number;
}

export const LOGO_MAX_BYTES = 100 * 1024;
export const LOGO_TOO_LARGE = 'The image is larger than 100 KiB.';
/** In pixels, for width and height. */
export const LOGO_MAX_SIDE = 1_024;
const LOGO_MIN_SIDE = 16;

/**
 * Reads kind and size of an uploaded logo from its own bytes: the file's name and the type that the browser sends are
 * untrusted. Only raster images: an SVG can carry scripts and references. Returns the reason of a refusal as a
 * text.
 */
export function readLogo(bytes: Uint8Array): LogoImage | string {
  if (bytes.length === 0) return 'Choose an image.';
  if (bytes.length > LOGO_MAX_BYTES) return LOGO_TOO_LARGE;
  const image = readRasterImage(bytes);
  if (image === undefined) return 'The file is not a PNG, JPEG or WebP image.';
  const { width, height } = image;
  if (Math.min(width, height) < LOGO_MIN_SIDE || Math.max(width, height) > LOGO_MAX_SIDE)
    return `The image has ${width} × ${height} pixels. Each side must have 16 to 1024 pixels.`;
  return image;
}

/** Kind and size of a PNG, JPEG or WebP image from its beginning. Undefined: it is none of them. */
export function readRasterImage(bytes: Uint8Array): LogoImage | undefined {
  return readPng(bytes) ?? readJpeg(bytes) ?? readWebp(bytes);
}

const PNG_START = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];

/** The first chunk, IHDR, has the size. */
function readPng(bytes: Uint8Array): LogoImage | undefined {
  if (!PNG_START.every((byte, at) => bytes[at] === byte) || text(bytes, 12, 4) !== 'IHDR') return undefined;
  if (bytes.length < 33) return undefined;
  const view = viewOf(bytes);
  return { type: 'image/png', width: view.getUint32(16), height: view.getUint32(20) };
}

/** Segments until the first frame header, which has the size. */
function readJpeg(bytes: Uint8Array): LogoImage | undefined {
  if (bytes[0] !== 0xff || bytes[1] !== 0xd8 || bytes[2] !== 0xff) return undefined;
  const view = viewOf(bytes);
  let at = 2;
  while (at + 9 <= bytes.length) {
    if (bytes[at] !== 0xff) return undefined;
    const marker = bytes[at + 1] ?? 0;
    if (marker === 0xff) {
      at += 1;
      continue;
    }
    if (marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker))
      return { type: 'image/jpeg', width: view.getUint16(at + 7), height: view.getUint16(at + 5) };
    const length = view.getUint16(at + 2);
    if (length < 2 || marker === 0xda || marker === 0xd9) return undefined;
    at += 2 + length;
  }
  return undefined;
}

/** The three forms of WebP: lossy, lossless and extended. */
function readWebp(bytes: Uint8Array): LogoImage | undefined {
  if (bytes.length < 30 || text(bytes, 0, 4) !== 'RIFF' || text(bytes, 8, 4) !== 'WEBP') return undefined;
  const view = viewOf(bytes);
  const type = 'image/webp';
  switch (text(bytes, 12, 4)) {
    case 'VP8 ':
      return { type, width: view.getUint16(26, true) & 0x3fff, height: view.getUint16(28, true) & 0x3fff };
    case 'VP8L': {
      const packed = view.getUint32(21, true);
      return { type, width: (packed & 0x3fff) + 1, height: ((packed >> 14) & 0x3fff) + 1 };
    }
    case 'VP8X': {
      const side = (at: number) => (view.getUint32(at, true) & 0xffffff) + 1;
      return { type, width: side(24), height: (view.getUint32(26, true) >>> 8) + 1 };
    }
    default:
      return undefined;
  }
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function text(bytes: Uint8Array, at: number, length: number): string {
  return String.fromCharCode(...bytes.subarray(at, at + length));
}

/**
 * Paths below a home as the file manager sends them. File names are bytes: they can be invalid UTF-8 or have a newline. On
 * the wire each name has only unreserved characters of URLs, and every other byte as `%XX`, so a path survives URLs, HTML
 * and JSON unchanged. The empty path is the home.
 */
export type WirePath = string;

const NAME_MAX_BYTES = 255;
const PATH_MAX_BYTES = 4_095;
const CANONICAL = /^(?:[A-Za-z0-9._~-]|%[0-9A-F]{2})+(?:\/(?:[A-Za-z0-9._~-]|%[0-9A-F]{2})+)*$/;
/** Only unreserved characters: most names. */
const PLAIN = /^[A-Za-z0-9._~/-]+$/;
const encoder = new TextEncoder();

/**
 * Reads a path from a URL or a form, in any valid percent encoding, and returns it in its only canonical form. Undefined:
 * it has an empty name, `.`, `..`, a slash or a NUL in a name, or is too long.
 */
export function readWirePath(text: string): WirePath | undefined {
  const trimmed = text.replace(/^\/|\/$/g, '');
  if (trimmed === '') return '';
  const names: string[] = [];
  let bytes = 0;
  for (const part of trimmed.split('/')) {
    const name = bytesOf(part);
    bytes += (name?.length ?? 0) + 1;
    if (name === undefined || !isName(name) || bytes > PATH_MAX_BYTES) return undefined;
    names.push(wireName(name));
  }
  return names.join('/');
}

/** Whether the text is a path in its canonical form. */
export function isWirePath(text: string): boolean {
  if (text === '') return true;
  if (!CANONICAL.test(text)) return false;
  if (PLAIN.test(text) && text.length <= NAME_MAX_BYTES) return !/(?:^|\/)\.\.?(?:\/|$)/.test(text);
  return readWirePath(text) === text;
}

/** One name in its wire form. */
export function wireName(name: Uint8Array): string {
  const plain = String.fromCharCode(...name);
  if (PLAIN.test(plain)) return plain;
  let wire = '';
  for (const byte of name) {
    const character = String.fromCharCode(byte);
    wire += /[A-Za-z0-9._~-]/.test(character)
      ? character
      : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
  }
  return wire;
}

/** The wire form of a typed name. Undefined: no file can have it. */
export function wireNameOfText(text: string): string | undefined {
  const bytes = encoder.encode(text);
  return isName(bytes) ? wireName(bytes) : undefined;
}

/** The bytes of the names of a canonical path. */
export function namesOfWirePath(path: WirePath): Uint8Array[] {
  return path === '' ? [] : path.split('/').map((name) => bytesOf(name) ?? new Uint8Array());
}

/** A name or a path for people: invalid UTF-8 and control characters are shown as `\xHH`. */
export function shownWirePath(path: WirePath): string {
  return path.split('/').map(shownName).join('/');
}

/** The name as typed text. Undefined: it cannot be typed, because it is not UTF-8 or has control characters. */
export function typedName(name: string): string | undefined {
  const shown = shownName(name);
  return wireNameOfText(shown) === name ? shown : undefined;
}

export function joinWirePath(folder: WirePath, name: string): WirePath {
  return folder === '' ? name : `${folder}/${name}`;
}

export function wireParentOf(path: WirePath): WirePath {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}

export function wireNameAtEnd(path: WirePath): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

function isName(name: Uint8Array): boolean {
  if (name.length === 0 || name.length > NAME_MAX_BYTES) return false;
  if (name.includes(0) || name.includes(0x2f)) return false;
  return !(name[0] === 0x2e && (name.length === 1 || (name.length === 2 && name[1] === 0x2e)));
}

function bytesOf(part: string): Uint8Array | undefined {
  const bytes: number[] = [];
  for (let at = 0; at < part.length; ) {
    const character = part[at]!;
    if (character !== '%') {
      const code = part.codePointAt(at)!;
      bytes.push(...encoder.encode(String.fromCodePoint(code)));
      at += code > 0xffff ? 2 : 1;
      continue;
    }
    const hex = part.slice(at + 1, at + 3);
    if (!/^[0-9A-Fa-f]{2}$/.test(hex)) return undefined;
    bytes.push(Number.parseInt(hex, 16));
    at += 3;
  }
  return Uint8Array.from(bytes);
}

function shownName(name: string): string {
  const bytes = bytesOf(name) ?? new Uint8Array();
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    text = '';
    for (const byte of bytes) text += byte < 0x80 ? String.fromCharCode(byte) : hexOf(byte);
  }
  return text.replaceAll(/[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu, (one) => {
    return [...encoder.encode(one)].map(hexOf).join('');
  });
}

function hexOf(byte: number): string {
  return `\\x${byte.toString(16).toUpperCase().padStart(2, '0')}`;
}

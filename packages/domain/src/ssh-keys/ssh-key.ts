/** More keys than people and programs that log in to one account. */
export const SSH_KEYS_PER_ACCOUNT = 50;
export const SSH_KEY_NAME_MAX_CHARACTERS = 64;
/** A public RSA key of 16,384 bits, the longest that OpenSSH accepts, in Base64, and its type. */
export const SSH_KEY_MAX_CHARACTERS = 3_000;

const RSA = 'ssh-rsa';
const RSA_MIN_BITS = 2_048;
/** Types that sshd of Debian 12 and 13 accepts. Not DSA, and no certificates. */
export const sshKeyTypes = [
  'ssh-ed25519',
  'ecdsa-sha2-nistp256',
  'ecdsa-sha2-nistp384',
  'ecdsa-sha2-nistp521',
  'sk-ssh-ed25519@openssh.com',
  'sk-ecdsa-sha2-nistp256@openssh.com',
  RSA,
] as const;
type SshKeyType = (typeof sshKeyTypes)[number];

export interface SshKey {
  /** Type and Base64 with one space between: the only text of a key that reaches a server. No options, no comment. */
  line: string;
  type: SshKeyType;
  /** What follows the key in its file, usually user@computer. */
  comment: string;
}

/** Why a text is not a public key that accounts can have. */
export type SshKeyFault = 'private' | 'lines' | 'options' | 'type' | 'damaged' | 'short';

const BASE64 = /^(?:[A-Za-z0-9+/]{4})+(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/**
 * Reads a line of an OpenSSH public key file: type, Base64, comment. Options before the type (`command=`, `from=`) are
 * refused, so that a key can only log in.
 */
export function readSshKey(text: string): SshKey | SshKeyFault {
  const trimmed = text.trim();
  if (/-----BEGIN |PuTTY-User-Key-File/.test(trimmed))
    return trimmed.includes('PUBLIC KEY') ? 'type' : 'private';
  if (/[\r\n]/.test(trimmed)) return 'lines';
  const [type = '', base64 = '', ...comment] = trimmed.split(/[ \t]+/);
  if (!sshKeyTypes.some((known) => known === type)) return /[=,"]/.test(type) ? 'options' : 'type';
  if (!BASE64.test(base64)) return 'damaged';
  const fields = readFields(base64);
  if (fields === undefined || fields[0] === undefined || new TextDecoder().decode(fields[0]) !== type)
    return 'damaged';
  if (type === RSA && bitsOf(fields[2]) < RSA_MIN_BITS) return 'short';
  return { line: `${type} ${base64}`, type: type as SshKeyType, comment: comment.join(' ') };
}

/** Whether a text is exactly the line of a key that `readSshKey` accepts. */
export function isSshKeyLine(text: string): boolean {
  const key = readSshKey(text);
  return typeof key !== 'string' && key.line === text;
}

/** The fields of a key in the format of RFC 4253: each begins with its length in 4 bytes. Undefined: damaged. */
function readFields(base64: string): Uint8Array[] | undefined {
  const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  const view = new DataView(bytes.buffer);
  const fields: Uint8Array[] = [];
  for (let at = 0; at < bytes.length; ) {
    if (at + 4 > bytes.length) return undefined;
    const end = at + 4 + view.getUint32(at);
    if (end > bytes.length) return undefined;
    fields.push(bytes.subarray(at + 4, end));
    at = end;
  }
  return fields.length < 2 ? undefined : fields;
}

/** The length of a positive number, big-endian. */
function bitsOf(number: Uint8Array | undefined): number {
  const start = number?.findIndex((byte) => byte !== 0) ?? -1;
  if (number === undefined || start === -1) return 0;
  return (number.length - start) * 8 - Math.clz32(number[start]!) + 24;
}

/** The FTP and SFTP logins of an account: forms of the panel. API v1 has no endpoint for them. */
import {
  FTP_LOGIN_KEYS,
  FTP_PASSWORD_MAX_CHARACTERS,
  FTP_PASSWORD_MIN_CHARACTERS,
  FTP_SUFFIX_MAX_CHARACTERS,
  FTP_SUFFIX_PATTERN,
  readFolder,
  readSshKey,
  SSH_KEY_MAX_CHARACTERS,
} from '@innkeeper/domain';
import { z } from 'zod';
import type { InputOf } from '../endpoint.ts';
import { type FieldKind, optional, required } from '../fields/field.ts';
import { boolean, text } from '../fields/kinds.ts';
import { keyRefusals } from '../ssh-keys/requests.ts';

const folder = required(
  text({
    max: 200,
    accepts: (typed) => readFolder(typed) !== undefined,
    read: (typed) => readFolder(typed) ?? '',
    refusal:
      'The :attribute field must be a folder: names of letters a-z, digits, dots, dashes and underscores with slashes between them. No name may begin with a dot.',
  }),
);

/** Not trimmed: white space counts. */
const password = optional(
  text({
    min: FTP_PASSWORD_MIN_CHARACTERS,
    max: FTP_PASSWORD_MAX_CHARACTERS,
    keepsWhitespace: true,
    refusal: 'The :attribute field must be one line without control characters.',
  }),
);

const linesOf = (value: string) => value.split(/\r?\n/).filter((line) => line.trim() !== '');

/** Public keys, one a line, read as `type base64` without comments. */
const publicKeys: FieldKind<string[]> = {
  rules: [
    (value) => {
      if (typeof value !== 'string') return 'The :attribute field must be a string.';
      const lines = linesOf(value);
      if (lines.length > FTP_LOGIN_KEYS)
        return `The :attribute field must not have more than ${FTP_LOGIN_KEYS} lines.`;
      if (lines.some((line) => line.length > SSH_KEY_MAX_CHARACTERS))
        return `The :attribute field must not be greater than ${SSH_KEY_MAX_CHARACTERS} characters.`;
      if (value.includes('-----BEGIN')) return keyRefusals.private;
      const faults = lines.map(readSshKey).filter((key) => typeof key === 'string');
      return faults[0] === undefined ? undefined : keyRefusals[faults[0]];
    },
  ],
  read: (value) => {
    const keys = linesOf(String(value)).map(readSshKey);
    return [...new Set(keys.flatMap((key) => (typeof key === 'string' ? [] : [key.line])))];
  },
  schema: { type: 'string' },
};

export const newFtpLogin = z.object({
  /** What follows the name of the account's user and `_`. */
  suffix: required(
    text({
      max: FTP_SUFFIX_MAX_CHARACTERS,
      accepts: (typed) => FTP_SUFFIX_PATTERN.test(typed.toLowerCase()),
      read: (typed) => typed.toLowerCase(),
      refusal:
        'The :attribute field must be letters a-z, digits, dashes and underscores. It must begin and end with a letter or a digit.',
    }),
  ),
  folder,
  /** A login has a password, keys, or both. */
  password,
  public_keys: optional(publicKeys),
});

export const changedFtpLogin = z.object({
  folder,
  /** Omitted: no change. */
  password,
  /** Default: false. */
  removes_password: optional(boolean()),
  /** Omitted: none. */
  public_keys: optional(publicKeys),
});

export type NewFtpLogin = InputOf<typeof newFtpLogin>;
export type FtpLoginChange = InputOf<typeof changedFtpLogin>;

/** The SSH keys of an account: a form of the panel. API v1 has no endpoint for them. */
import {
  readSshKey,
  SSH_KEY_MAX_CHARACTERS,
  SSH_KEY_NAME_MAX_CHARACTERS,
  type SshKeyFault,
} from '@innkeeper/domain';
import { z } from 'zod';
import type { InputOf } from '../endpoint.ts';
import { type FieldKind, optional, required } from '../fields/field.ts';
import { text } from '../fields/kinds.ts';

/** Why a text is not accepted as a public key. */
export const keyRefusals: Record<SshKeyFault, string> = {
  private:
    'The :attribute field must be a public key. This is a private key: keep it to yourself, and make a new pair.',
  lines: 'The :attribute field must be one line of an OpenSSH public key file (.pub).',
  options: 'The :attribute field must not have options before the type of the key.',
  type: 'The :attribute field must be an OpenSSH public key of the type Ed25519, ECDSA or RSA.',
  damaged: 'The :attribute field must be a complete public key.',
  short: 'The :attribute field must be an RSA key of at least 2048 bits.',
};

/** The line of a public key with its comment. */
const publicKey: FieldKind<string> = {
  rules: [
    (value) => {
      if (typeof value !== 'string') return 'The :attribute field must be a string.';
      if (value.length > SSH_KEY_MAX_CHARACTERS)
        return `The :attribute field must not be greater than ${SSH_KEY_MAX_CHARACTERS} characters.`;
      const key = readSshKey(value);
      return typeof key === 'string' ? keyRefusals[key] : undefined;
    },
  ],
  read: (value) => String(value).trim(),
  schema: { type: 'string', maxLength: SSH_KEY_MAX_CHARACTERS },
};

export const newSshKey = z.object({
  public_key: required(publicKey),
  /** Default: the key's comment. */
  name: optional(
    text({
      max: SSH_KEY_NAME_MAX_CHARACTERS,
      refusal: 'The :attribute field must be one line without control characters.',
    }),
  ),
});

export type NewSshKey = InputOf<typeof newSshKey>;

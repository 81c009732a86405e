import { DomainError } from '@innkeeper/domain';
import { z } from 'zod';

/**
 * Schema of a join token, which an operator copies from the control plane to a new node: `ikj_` and base64url of JSON.
 * The database stores only the SHA-256 of the secret. The fingerprint lets the node verify the control plane before it
 * sends the secret.
 */
const joinTokenSchema = z.strictObject({
  node: z.string().min(1).max(63),
  secret: z.string().min(16).max(256),
  /** SHA-256 of the CA certificate, 64 hex digits. */
  ca: z.string().regex(/^[0-9a-f]{64}$/),
  /** Address of the control plane, `host:port`. Null if only the node's configuration has it. */
  control: z.string().min(1).max(300).nullable(),
});

export type JoinToken = z.infer<typeof joinTokenSchema>;

const PREFIX = 'ikj_';

export function encodeJoinToken(token: JoinToken): string {
  return PREFIX + Buffer.from(JSON.stringify(joinTokenSchema.parse(token))).toString('base64url');
}

/** Parses a join token. Throws DomainError `invalid` with a message that contains no part of the token. */
export function decodeJoinToken(text: string): JoinToken {
  const damaged = 'The join token is damaged. Copy it again, whole, or make a new one with innctl.';
  const trimmed = text.trim();
  if (!trimmed.startsWith(PREFIX) || trimmed.length > 2_000) throw new DomainError('invalid', damaged);
  try {
    return joinTokenSchema.parse(
      JSON.parse(Buffer.from(trimmed.slice(PREFIX.length), 'base64url').toString('utf8')),
    );
  } catch {
    throw new DomainError('invalid', damaged);
  }
}

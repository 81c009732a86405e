import { DomainError } from '@innkeeper/domain';
import { sessionIdSchema } from '@innkeeper/protocol';
import { z } from 'zod';

/** Parses an untrusted message of a node. Throws DomainError `invalid` with the first invalid field. */
export function parseFromNode<S extends z.ZodType>(schema: S, value: unknown): z.infer<S> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new DomainError('invalid', `${issue?.path.join('.') || 'message'}: ${issue?.message}`);
}

const sessionSchema = z.object({ session_id: sessionIdSchema });

/** Returns the session id of a message. Throws DomainError `invalid`. */
export function sessionOf(request: { session_id: string }): string {
  return parseFromNode(sessionSchema, request).session_id;
}

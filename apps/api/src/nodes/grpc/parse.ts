import { DomainError } from '@innkeeper/domain';
import { sessionIdSchema } from '@innkeeper/protocol';
import { z } from 'zod';

/** A message of a node, parsed as if the node were hostile. Throws DomainError `invalid`, naming the first field. */
export function parseFromNode<S extends z.ZodType>(schema: S, value: unknown): z.infer<S> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new DomainError('invalid', `${issue?.path.join('.') || 'message'}: ${issue?.message}`);
}

const sessionSchema = z.object({ session_id: sessionIdSchema });

/** The session that a message names. Throws DomainError `invalid`. */
export function sessionOf(request: { session_id: string }): string {
  return parseFromNode(sessionSchema, request).session_id;
}

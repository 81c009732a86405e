import { DomainError } from '@innkeeper/domain';
import { sessionIdSchema } from '@innkeeper/protocol';
import type { ChannelOpening } from '@innkeeper/protocol/wire';
import { z } from 'zod';
import { parseFromNode } from './parse.ts';

const openingSchema = z.object({
  session_id: sessionIdSchema,
  channel_id: z.string().regex(/^[0-9a-f]{32}$/),
  secret: z.string().regex(/^[\w-]{43}$/),
});

/** Throws DomainError `invalid`. */
export function parseOpening(opening: ChannelOpening | null): ChannelOpening {
  if (opening === null) throw new DomainError('invalid', 'The first frame of a channel has no opening.');
  return parseFromNode(openingSchema, opening);
}

import { integerFromWire } from '@innkeeper/protocol/wire';
import { readArchive } from '@innkeeper/services';
import { z } from 'zod';
import type { NodeStreamHandler } from './method.ts';
import { parseFromNode, sessionOf } from './parse.ts';

const wantedSchema = z.object({ account_id: z.int().min(1), release_id: z.int().min(1) });

export const fetchArchive: NodeStreamHandler<'FetchArchive'> = async function* ({ db }, nodeId, request) {
  const session_id = sessionOf(request);
  const wanted = parseFromNode(wantedSchema, {
    account_id: integerFromWire(request.account_id),
    release_id: integerFromWire(request.release_id),
  });
  for await (const data of readArchive(db, { ...wanted, node_id: nodeId, session_id })) yield { data };
};

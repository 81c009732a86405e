import { nodeFactsSchema } from '@innkeeper/protocol';
import { decodeHello } from '@innkeeper/protocol/wire';
import { findOverlapsOf, overlapSentence, registerSession } from '@innkeeper/services';
import type { NodeMethodHandler } from './method.ts';
import { parseFromNode, sessionOf } from './parse.ts';

export const hello: NodeMethodHandler<'Hello'> = async ({ db, intervals, log }, nodeId, request) => {
  const session_id = sessionOf(request);
  const facts = parseFromNode(nodeFactsSchema, decodeHello(request));
  const registered = await registerSession(db, { node_id: nodeId, session_id, ...facts, now: new Date() });
  const { name, ended_session_id, has_jumped } = registered;
  const { memory_bytes, disk_bytes } = facts;
  if (has_jumped)
    log.warn(
      { node_id: nodeId, name, memory_bytes, disk_bytes },
      'A node reports more than four times its known memory or disk. Placement uses four times the known value at most. If the server was enlarged, run innctl node accept-capacity NAME. Otherwise set its capacity or cordon it.',
    );
  if (ended_session_id !== null)
    log.info(
      { node_id: nodeId, name, session_id, ended_session_id },
      'A session of this node replaced another.',
    );
  const hosts = facts.hostname === null ? [] : [facts.hostname];
  for (const overlap of await findOverlapsOf(db, hosts))
    log.warn({ node_id: nodeId, ...overlap }, overlapSentence(overlap));
  return intervals;
};

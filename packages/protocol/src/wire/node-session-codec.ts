import type { HeartbeatCounts, NodeFacts } from '../node-session.ts';
import { integerFromWire, uint32ToWire, uint64ToWire } from './integers.ts';
import type * as wire from './node.gen.ts';

/** Encodes a Hello for the wire. Throws RangeError for a number that does not fit its field. */
export function encodeHello(sessionId: string, facts: NodeFacts): wire.HelloRequest {
  return {
    session_id: sessionId,
    agent_version: facts.agent_version,
    hostname: facts.hostname,
    cpu_count: uint32ToWire(facts.cpu_count, 'cpu_count'),
    memory_bytes: uint64ToWire(facts.memory_bytes, 'memory_bytes'),
    disk_bytes: uint64ToWire(facts.disk_bytes, 'disk_bytes'),
    disk_quota: facts.disk_quota,
    io_limits: facts.io_limits,
    reserved_usernames: [...facts.reserved_usernames],
    ledger_incomplete: facts.ledger_incomplete,
    node_versions: [...facts.node_versions],
    php_version: facts.php_version ?? '',
    time_zone: facts.time_zone ?? '',
    ssh_fingerprint: facts.ssh_fingerprint ?? '',
    ftp_fingerprint: facts.ftp_fingerprint ?? '',
  };
}

/** Decodes a wire message into the shape of NodeFacts. Untrusted: parse it with nodeFactsSchema. */
export function decodeHello(message: wire.HelloRequest): unknown {
  const { session_id: _, memory_bytes, disk_bytes, ...rest } = message;
  return {
    ...rest,
    memory_bytes: integerFromWire(memory_bytes),
    disk_bytes: integerFromWire(disk_bytes),
    php_version: message.php_version || null,
    time_zone: message.time_zone || null,
    ssh_fingerprint: message.ssh_fingerprint || null,
    ftp_fingerprint: message.ftp_fingerprint || null,
  };
}

/** Decodes a wire message into the shape of HeartbeatCounts. Untrusted: parse it with heartbeatCountsSchema. */
export function decodeHeartbeat(message: wire.HeartbeatRequest): unknown {
  const { session_id: _, settings_generation, ...rest } = message;
  return { ...rest, settings_generation: integerFromWire(settings_generation) };
}

/** Encodes a heartbeat for the wire. Throws RangeError for a number that does not fit its field. */
export function encodeHeartbeat(sessionId: string, counts: HeartbeatCounts): wire.HeartbeatRequest {
  return {
    session_id: sessionId,
    accounts: uint32ToWire(counts.accounts, 'accounts'),
    accounts_failed: uint32ToWire(counts.accounts_failed, 'accounts_failed'),
    warnings: [...counts.warnings],
    figures: { ...counts.figures },
    settings_generation: uint64ToWire(counts.settings_generation, 'settings_generation'),
    settings_problem: counts.settings_problem,
  };
}

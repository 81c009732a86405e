import type { AccountSpec, AccountSpecLimits } from '../account-spec.ts';
import { integerFromWire, uint32ToWire, uint64ToWire } from './integers.ts';
import type * as wire from './node.gen.ts';

/** A spec for the wire. Throws RangeError for a number that does not fit its field. */
export function encodeAccountSpec(spec: AccountSpec): wire.AccountSpec {
  return {
    account_id: uint64ToWire(spec.account_id, 'account_id'),
    generation: uint64ToWire(spec.generation, 'generation'),
    desired_state: spec.desired_state,
    linux_user: spec.linux_user,
    uid: uint32ToWire(spec.uid, 'uid'),
    terminal_access: spec.terminal_access,
    password_hash: spec.password_hash,
    limits: encodeLimits(spec.limits),
    domains: spec.domains.map((domain) => ({
      domain_id: uint64ToWire(domain.domain_id, 'domain_id'),
      name: domain.name,
      is_primary: domain.is_primary,
      desired_state: domain.desired_state,
    })),
  };
}

/** What came over the wire in the shape of an AccountSpec, not yet believed: parse it with accountSpecSchema. */
export function decodeAccountSpec(message: wire.AccountSpec): unknown {
  return {
    account_id: integerFromWire(message.account_id),
    generation: integerFromWire(message.generation),
    desired_state: message.desired_state,
    linux_user: message.linux_user,
    uid: message.uid,
    terminal_access: message.terminal_access,
    password_hash: message.password_hash,
    limits: message.limits === null ? null : decodeLimits(message.limits),
    domains: message.domains.map((domain) => ({
      domain_id: integerFromWire(domain.domain_id),
      name: domain.name,
      is_primary: domain.is_primary,
      desired_state: domain.desired_state,
    })),
  };
}

const optionalLimits = ['io_read_mbps', 'io_write_mbps', 'iops', 'max_processes'] as const;

function encodeLimits(limits: AccountSpecLimits): wire.Limits {
  const message: wire.Limits = {
    disk_mb: uint32ToWire(limits.disk_mb, 'disk_mb'),
    bandwidth_mb: uint32ToWire(limits.bandwidth_mb, 'bandwidth_mb'),
    cpu_percent: uint32ToWire(limits.cpu_percent, 'cpu_percent'),
    ram_mb: uint32ToWire(limits.ram_mb, 'ram_mb'),
  };
  for (const name of optionalLimits) {
    const value = limits[name];
    if (value !== null) message[name] = uint32ToWire(value, name);
  }
  return message;
}

function decodeLimits(message: wire.Limits): AccountSpecLimits {
  return {
    disk_mb: message.disk_mb,
    bandwidth_mb: message.bandwidth_mb,
    cpu_percent: message.cpu_percent,
    ram_mb: message.ram_mb,
    io_read_mbps: message.io_read_mbps ?? null,
    io_write_mbps: message.io_write_mbps ?? null,
    iops: message.iops ?? null,
    max_processes: message.max_processes ?? null,
  };
}

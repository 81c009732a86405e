import { type FieldKind, integer, nullable, optional, required } from '../fields/index.ts';

/**
 * The bounds of every limit. The minima are the API's; the maxima are what an agent's own schema still
 * takes, so that nothing the API accepts is refused on the node.
 */
const kinds = {
  disk_limit_mb: integer({ min: 100, max: 1_000_000_000 }),
  bandwidth_limit_mb: integer({ min: 100, max: 2_000_000_000 }),
  cpu_limit_percent: integer({ min: 1, max: 10_000 }),
  ram_limit_mb: integer({ min: 128, max: 100_000_000 }),
  io_read_mbps: integer({ min: 5, max: 1_000_000 }),
  io_write_mbps: integer({ min: 5, max: 1_000_000 }),
  iops: integer({ min: 100, max: 100_000_000 }),
  max_processes: integer({ min: 20, max: 4_000_000 }),
  max_domains: integer({ min: 1, max: 1_000_000 }),
  max_databases: integer({ min: 0, max: 1_000_000 }),
  max_apps: integer({ min: 0, max: 1_000_000 }),
} as const satisfies Record<string, FieldKind<number>>;

/** Limits that an account always has, and those that may be unlimited (null), in the order of the API. */
function limitFields<Field>(sized: (kind: FieldKind<number>) => Field) {
  return {
    disk_limit_mb: sized(kinds.disk_limit_mb),
    bandwidth_limit_mb: sized(kinds.bandwidth_limit_mb),
    cpu_limit_percent: sized(kinds.cpu_limit_percent),
    ram_limit_mb: sized(kinds.ram_limit_mb),
    io_read_mbps: nullable(kinds.io_read_mbps),
    io_write_mbps: nullable(kinds.io_write_mbps),
    iops: nullable(kinds.iops),
    max_processes: nullable(kinds.max_processes),
    max_domains: sized(kinds.max_domains),
    max_databases: sized(kinds.max_databases),
    max_apps: sized(kinds.max_apps),
  };
}

/** Overrides of a package's limits. */
export const overrideFields = limitFields((kind) => optional(kind));

/** A new account without a package. */
export const customFields = limitFields((kind) =>
  required(kind, 'The :attribute field is required when package id is not present.'),
);

/** Another set of limits for an account. */
export const resourceFields = limitFields((kind) => required(kind));

import { limitBounds } from '@innkeeper/domain';
import { type FieldKind, integer, nullable, optional, required } from '../fields/index.ts';

/** Limits that an account always has, and those that may be unlimited (null), in the order of the API. */
function limitFields<Field>(sized: (kind: FieldKind<number>) => Field) {
  return {
    disk_limit_mb: sized(integer(limitBounds.disk_limit_mb)),
    bandwidth_limit_mb: sized(integer(limitBounds.bandwidth_limit_mb)),
    cpu_limit_percent: sized(integer(limitBounds.cpu_limit_percent)),
    ram_limit_mb: sized(integer(limitBounds.ram_limit_mb)),
    io_read_mbps: nullable(integer(limitBounds.io_read_mbps)),
    io_write_mbps: nullable(integer(limitBounds.io_write_mbps)),
    iops: nullable(integer(limitBounds.iops)),
    max_processes: nullable(integer(limitBounds.max_processes)),
    max_domains: sized(integer(limitBounds.max_domains)),
    max_databases: sized(integer(limitBounds.max_databases)),
    max_apps: sized(integer(limitBounds.max_apps)),
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

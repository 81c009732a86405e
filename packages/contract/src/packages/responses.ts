import { z } from 'zod';

const size = z.int().min(0);
const unlimitable = z.int().min(1).nullable();

export const hostingPackage = z.strictObject({
  id: z.int().min(1),
  name: z.string(),
  slug: z.string(),
  disk_mb: size,
  bandwidth_mb: size,
  cpu_percent: size,
  ram_mb: size,
  io_read_mbps: unlimitable,
  io_write_mbps: unlimitable,
  iops: unlimitable,
  max_processes: unlimitable,
  max_domains: size,
  max_databases: size,
  max_apps: size,
  max_cron_jobs: size,
  terminal_access: z.boolean(),
  smtp_port_25: z.boolean(),
  is_active: z.boolean(),
});

import { DOMAIN_NAME_PATTERN, isAccountUid, LINUX_USER_PATTERN } from '@innkeeper/domain';
import { z } from 'zod';

/**
 * The spec of one account as the agent believes it: whatever the control plane sends is parsed with this
 * schema first, so that a stolen control plane cannot name another uid, path or host name than it allows.
 */
const id = z.int().min(1);
const optionalRate = z.int().min(1).max(1_000_000).nullable();

export const limitsSchema = z.strictObject({
  disk_mb: z.int().min(1).max(1_000_000_000),
  bandwidth_mb: z.int().min(1).max(2_000_000_000),
  cpu_percent: z.int().min(1).max(10_000),
  ram_mb: z.int().min(1).max(100_000_000),
  io_read_mbps: optionalRate,
  io_write_mbps: optionalRate,
  iops: z.int().min(1).max(100_000_000).nullable(),
  max_processes: z.int().min(1).max(4_000_000).nullable(),
});

export const domainSpecSchema = z.strictObject({
  domain_id: id,
  name: z.string().regex(DOMAIN_NAME_PATTERN),
  is_primary: z.boolean(),
  desired_state: z.enum(['active', 'absent']),
});

export const accountSpecSchema = z
  .strictObject({
    account_id: id,
    generation: id,
    desired_state: z.enum(['active', 'suspended', 'absent']),
    linux_user: z.string().regex(LINUX_USER_PATTERN),
    uid: z.int().refine(isAccountUid, 'not a uid of an account'),
    terminal_access: z.boolean(),
    /** SHA-512 crypt(3), default or explicit rounds. */
    password_hash: z.string().regex(/^\$6\$(?:rounds=\d{4,9}\$)?[./0-9A-Za-z]{1,16}\$[./0-9A-Za-z]{86}$/),
    limits: limitsSchema,
    domains: z.array(domainSpecSchema).max(10_000),
  })
  .refine((spec) => new Set(spec.domains.map((domain) => domain.name)).size === spec.domains.length, {
    path: ['domains'],
    message: 'a name stands twice',
  });

export type AccountSpec = z.infer<typeof accountSpecSchema>;
export type AccountSpecLimits = z.infer<typeof limitsSchema>;
export type DomainSpec = z.infer<typeof domainSpecSchema>;
export type DesiredState = AccountSpec['desired_state'];

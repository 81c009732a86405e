import { z } from 'zod';

/**
 * The content of /status, for root only. It ends up in tickets and terminals, so it names accounts by id only and omits
 * the messages of conditions, which may contain names and paths.
 */
export const agentStatusSchema = z.object({
  version: z.string(),
  ready: z.boolean(),
  /** Why the agent is not ready, one sentence for each reason. */
  reasons: z.array(z.string()),
  superseded: z.boolean(),
  control_plane_connected: z.boolean(),
  last_pull_at: z.string().nullable(),
  accounts: z.object({
    total: z.number(),
    applied: z.number(),
    failed: z.number(),
    progressing: z.number(),
    absent: z.number(),
    /** Accounts without a completed pass since the agent started. */
    unknown: z.number(),
  }),
  queue: z.object({ waiting: z.number(), running: z.number() }),
  reports_unsent: z.number(),
  ledger_quarantined: z.number(),
  /** Accounts that do not match their desired state, at most 100. */
  troubled: z.array(
    z.object({
      account_id: z.number(),
      generation: z.number(),
      outcome: z.string(),
      conditions: z.array(z.string()),
    }),
  ),
});

export type AgentStatus = z.infer<typeof agentStatusSchema>;

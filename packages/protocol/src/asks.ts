import { z } from 'zod';

/**
 * Questions to one node over NATS (`subjects.nodeAsk(nodeId, verb)`), answered at once from what the node
 * sees. Nothing hangs on an answer: a node that is away answers nothing, and the asker goes on without.
 */
const id = z.int().min(1);
const megabytes = z.int().min(0).max(1_000_000_000_000);

/** What accounts use now. Ids that the node does not have are left out of the answer. */
export const usageQuestionSchema = z.strictObject({ account_ids: z.array(id).min(1).max(1_000) });

export const accountUsageSchema = z.strictObject({
  account_id: id,
  /** Files and databases. */
  disk_used_mb: megabytes,
  /** Of `month`. */
  bandwidth_used_mb: megabytes,
  /** Percent of one core, over the last minute. */
  cpu_used_percent: z.int().min(0).max(10_000_000),
  ram_used_mb: megabytes,
});

export const usageAnswerSchema = z.strictObject({
  /** The calendar month in UTC that bandwidth is counted in: `2026-11`. */
  month: z.string().regex(/^\d{4}-\d\d$/),
  accounts: z.array(accountUsageSchema).max(1_000),
});

/** The newest lines of an app's log. */
export const appLogQuestionSchema = z.strictObject({
  account_id: id,
  app_id: id,
  lines: z.int().min(1).max(1_000),
});
export const appLogAnswerSchema = z.strictObject({ lines: z.array(z.string().max(4_000)).max(1_000) });

/** Every verb, with what is asked and answered. */
export const asks = {
  usage: { question: usageQuestionSchema, answer: usageAnswerSchema },
  'app-log': { question: appLogQuestionSchema, answer: appLogAnswerSchema },
} as const;

export type AskVerb = keyof typeof asks;
export type Question<V extends AskVerb> = z.infer<(typeof asks)[V]['question']>;
export type Answer<V extends AskVerb> = z.infer<(typeof asks)[V]['answer']>;

/** What a node answered; undefined where it has not the shape of an answer to this verb. */
export function parseAnswer<V extends AskVerb>(verb: V, message: unknown): Answer<V> | undefined {
  // The verb chose the schema, which the compiler does not follow.
  return asks[verb].answer.safeParse(message).data as Answer<V> | undefined;
}

import { z } from 'zod';

/**
 * Requests to one node over NATS (`subjects.nodeAsk(nodeId, verb)`). The node answers at once from what it observes.
 * Nothing depends on an answer: an offline node does not answer, and the caller continues without one.
 */
const id = z.int().min(1);
const megabytes = z.int().min(0).max(1_000_000_000_000);

/** Asks for the present usage of accounts. The answer leaves out ids that the node does not have. */
export const usageQuestionSchema = z.strictObject({ account_ids: z.array(id).min(1).max(1_000) });

export const accountUsageSchema = z.strictObject({
  account_id: id,
  /** Files and databases. */
  disk_used_mb: megabytes,
  /** In `month`. */
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

/** The newest lines of the output of an app's program, or of its newest build. */
export const appLogQuestionSchema = z.strictObject({
  account_id: id,
  app_id: id,
  lines: z.int().min(1).max(1_000),
});
export const appLogAnswerSchema = z.strictObject({ lines: z.array(z.string().max(4_000)).max(1_000) });

/** Every verb with the schemas of its question and answer. */
export const asks = {
  usage: { question: usageQuestionSchema, answer: usageAnswerSchema },
  'app-log': { question: appLogQuestionSchema, answer: appLogAnswerSchema },
  'build-log': { question: appLogQuestionSchema, answer: appLogAnswerSchema },
} as const;

export type AskVerb = keyof typeof asks;
export type Question<V extends AskVerb> = z.infer<(typeof asks)[V]['question']>;
export type Answer<V extends AskVerb> = z.infer<(typeof asks)[V]['answer']>;

/** Parses a node's answer. Undefined if it is not a valid answer to this verb. */
export function parseAnswer<V extends AskVerb>(verb: V, message: unknown): Answer<V> | undefined {
  // The verb selects the schema, but the compiler cannot infer this.
  return asks[verb].answer.safeParse(message).data as Answer<V> | undefined;
}

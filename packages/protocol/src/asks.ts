import { isEmailAddress } from '@innkeeper/domain';
import { z } from 'zod';
import { accountMailSchema } from './usage-report.ts';

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

const hex32 = z.string().regex(/^[0-9a-f]{32}$/);
const characters = z.int().min(1).max(1_000);

/** What runs at the end of a channel on the hosting server, as the account. */
export const channelProgramSchema = z.discriminatedUnion('kind', [
  /** An HTTP server for the files of the home. */
  z.strictObject({ kind: z.literal('files') }),
  /** Writes the SQL of a database, compressed with gzip. The channel is lost if it is not complete. */
  z.strictObject({ kind: z.literal('database-export'), database_id: id }),
  /** Reads SQL until the end, then writes `ok` or the error. */
  z.strictObject({ kind: z.literal('database-import'), database_id: id, is_gzip: z.boolean() }),
  /** A login shell. `session`: names it, so that a browser finds it again after the line broke. */
  z.strictObject({ kind: z.literal('terminal'), session: hex32, columns: characters, rows: characters }),
]);
export type ChannelProgram = z.infer<typeof channelProgramSchema>;
export type ChannelKind = ChannelProgram['kind'];

/** Why a node opens no channel. */
export const channelRefusals = [
  /** The node has no such account, or it is not active there. */
  'inactive',
  /** The account may not have this kind of channel. */
  'not_allowed',
  /** The node does not have this database. */
  'no_database',
  'too_many',
] as const;
export type ChannelRefusal = (typeof channelRefusals)[number];

/** Asks the node to open a channel to the instance that asks (OpenChannel in node.proto). */
export const openChannelQuestionSchema = z.strictObject({
  channel_id: hex32,
  /** Proves to the instance that the node was asked by it. Valid once. */
  secret: z.string().regex(/^[\w-]{43}$/),
  /** `host:port` of the instance. Null: the address that the node calls anyway. */
  control: z.string().min(3).max(300).nullable(),
  account_id: id,
  program: channelProgramSchema,
});
export const openChannelAnswerSchema = z.strictObject({ refused: z.enum(channelRefusals).nullable() });
/** Asks for what an account has sent and what waits. Null: the server has sent nothing for it today. */
export const accountMailQuestionSchema = z.strictObject({ account_id: id });
export const accountMailAnswerSchema = z.strictObject({
  mail: accountMailSchema.nullable(),
  /** What the relay last said about the oldest message that waits. Empty: nothing waits, or it was not tried yet. */
  waits_because: z.string().max(500),
});

/**
 * Sends a test mail through the queue of the server, or asks for the outcome of the last one (`to` is null).
 */
export const mailTestQuestionSchema = z.strictObject({
  to: z.string().max(254).refine(isEmailAddress, 'not an email address').nullable(),
});
export const mailTestAnswerSchema = z.strictObject({
  to: z.string().max(254).nullable(),
  /** Unix time in ms. */
  sent_at: z.int().min(0).nullable(),
  state: z.enum(['none', 'no-relay', 'waiting', 'sent', 'deferred', 'refused', 'failed']),
  /** The words of the relay, or why the mail did not reach the queue. */
  answer: z.string().max(1_000),
});

/** Every verb with the schemas of its question and answer. */
export const asks = {
  usage: { question: usageQuestionSchema, answer: usageAnswerSchema },
  'app-log': { question: appLogQuestionSchema, answer: appLogAnswerSchema },
  'open-channel': { question: openChannelQuestionSchema, answer: openChannelAnswerSchema },
  'account-mail': { question: accountMailQuestionSchema, answer: accountMailAnswerSchema },
  'mail-test': { question: mailTestQuestionSchema, answer: mailTestAnswerSchema },
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

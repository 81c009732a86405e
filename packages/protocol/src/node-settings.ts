import { DOMAIN_NAME_PATTERN, isMailServerHost, isPrintableLine } from '@innkeeper/domain';
import { z } from 'zod';

/**
 * What operators have set for a server itself. The agent parses it before use, like the specs of accounts: its values
 * become part of Postfix's configuration.
 */
const credential = z
  .string()
  .max(255)
  .refine((text) => isPrintableLine(text) && text === text.trim(), 'not one printable line');

export const mailRelaySchema = z.strictObject({
  host: z.string().max(253).refine(isMailServerHost, 'not a host name or an address'),
  port: z.int().min(1).max(65_535),
  encryption: z.enum(['tls', 'starttls', 'none']),
  /** Null: the relay wants no sign-in. */
  sign_in: z
    .strictObject({
      username: credential.min(1).refine((name) => !name.includes(':'), 'has a colon'),
      password: credential.min(1),
    })
    .nullable(),
  /** Domain of senders that have no domain of the account. Null: the server's own host name. */
  sender_domain: z.string().regex(DOMAIN_NAME_PATTERN).nullable(),
});

export const nodeSettingsSchema = z.strictObject({
  generation: z.int().min(1),
  /** Null: accounts of the server cannot send mail. */
  mail_relay: mailRelaySchema.nullable(),
});

/** The problem that a node reports while it applies settings for the first time. */
export const SETTINGS_UNDER_WAY = 'They are being applied.';

export type MailRelay = z.infer<typeof mailRelaySchema>;
export type NodeSettings = z.infer<typeof nodeSettingsSchema>;

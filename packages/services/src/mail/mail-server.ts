import type { MailSettingsRow } from '@innkeeper/db';
import type { Sealer } from '../secrets/sealer.ts';

/** The mail server, with its password in clear. Never log it. */
export interface MailServer {
  host: string;
  port: number;
  encryption: 'tls' | 'starttls' | 'none';
  username: string | null;
  password: string | null;
  sender: { name: string; address: string };
}

export interface MailMessage {
  to: { name: string; address: string };
  subject: string;
  text: string;
  html: string;
}

/**
 * `sent`: the server has accepted the mail. `refused`: it refuses this mail for ever. `failed`: a later attempt can
 * succeed. A reason is for admins; it contains no secret.
 */
export type SendOutcome = { result: 'sent' } | { result: 'refused' | 'failed'; reason: string };

/** Sends one mail within 90 s. Never rejects. */
export type SendMail = (server: MailServer, message: MailMessage) => Promise<SendOutcome>;

export function mailServerOf(row: MailSettingsRow, sealer: Sealer): MailServer {
  const { host, port, encryption, username, sealed_password, sender_name, sender_address } = row;
  return {
    host,
    port,
    encryption,
    username,
    password: sealed_password === null ? null : sealer.open('smtp-password', sealed_password),
    sender: { name: sender_name, address: sender_address },
  };
}

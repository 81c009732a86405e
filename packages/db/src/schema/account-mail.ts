import type { NullByDefault } from './null-by-default.ts';

/** Mail servers that take the mail of accounts. */
export interface MailRelaysTable {
  /** 0: of the installation, for each server without one of its own. */
  node_id: number;
  host: string;
  port: number;
  encryption: 'tls' | 'starttls' | 'none';
  username: NullByDefault<string>;
  sealed_password: NullByDefault<string>;
  /** Of senders without a domain of the account. Null: the host name of the server. */
  sender_domain: NullByDefault<string>;
  updated_at: Date;
}

/** What a server last reported of the mail of an account: recipients, by hour and by day. */
export interface AccountMailTable {
  account_id: number;
  /** Number of the hour, and of the day, since 1970 in UTC. */
  hour: number;
  hour_sent: number;
  hour_refused: number;
  day: number;
  day_sent: number;
  day_refused: number;
  /** Messages in the queue of the server. */
  queued: number;
  reported_at: Date;
}

import { pino } from 'pino';

/** Structured lines for the journal: account ids rather than names, and never a secret. */
export type Log = Pick<pino.Logger, 'debug' | 'info' | 'warn' | 'error' | 'fatal'>;

export function createLog(level: pino.Level): Log {
  return pino({
    level,
    base: { service: 'innkeeper-agent' },
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: ['*.password_hash', 'password_hash', 'join_token', '*.join_token'],
  });
}

import { pino } from 'pino';

/** Structured log lines for the journal. They contain account ids instead of names, and never a secret. */
export type Log = Pick<pino.Logger, 'debug' | 'info' | 'warn' | 'error' | 'fatal'>;

export function createLog(level: pino.Level): Log {
  return pino({
    level,
    base: { service: 'innkeeper-agent' },
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: ['*.password_hash', 'password_hash', 'join_token', '*.join_token'],
  });
}

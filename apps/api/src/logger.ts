import { type Logger, pino, stdTimeFunctions } from 'pino';

/**
 * Logs JSON lines to standard output. Of an error it logs only descriptive properties: a database driver's error
 * contains the statement with its values, and so password hashes.
 */
export function createLogger(level: string): Logger {
  return pino(
    {
      level,
      base: null,
      timestamp: stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { err: (error: unknown) => describeError(error) },
    },
    pino.destination({
      dest: 1,
      sync: false,
      minLength: FLUSH_BYTES,
      maxWrite: 2 * FLUSH_BYTES,
      periodicFlush: FLUSH_MS,
    }),
  );
}

/**
 * Lines are buffered and written together: written one by one they cost 10 % of a request. The rest is written at the
 * exit.
 */
const FLUSH_MS = 100;
const FLUSH_BYTES = 32 * 1024;

const DEPTH = 5;

/** See `createLogger`. */
export function describeError(error: unknown, depth = 0): unknown {
  if (!(error instanceof Error)) return error === undefined ? undefined : String(error);
  return {
    type: error.name,
    message: error.message,
    ...('code' in error ? { code: error.code } : {}),
    stack: error.stack,
    ...(error.cause === undefined || depth === DEPTH ? {} : { cause: describeError(error.cause, depth + 1) }),
  };
}

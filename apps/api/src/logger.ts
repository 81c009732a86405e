import { type Logger, pino, stdTimeFunctions } from 'pino';

/**
 * JSON lines on standard output. Of an error only what describes it is written: a driver's error carries
 * the statement with its values, and so passwords' hashes.
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

/** Lines are written together: one by one they cost a tenth of a request. What is left is written at the exit. */
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

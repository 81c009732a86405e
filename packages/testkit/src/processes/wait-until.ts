import { setTimeout as delay } from 'node:timers/promises';

/**
 * Polls until `condition` returns a value other than undefined or false, and returns that value. Rejects after
 * `timeoutMs` with `what` and the last error of the condition.
 */
export async function waitUntil<T>(
  what: string,
  condition: () => Promise<T | undefined | false> | T | undefined | false,
  options: { timeoutMs?: number; everyMs?: number } = {},
): Promise<T> {
  const timeoutMs = options.timeoutMs ?? 10_000;
  const deadline = performance.now() + timeoutMs;
  let lastError: unknown;
  for (;;) {
    try {
      const value = await condition();
      if (value !== undefined && value !== false) return value;
      lastError = undefined;
    } catch (error) {
      lastError = error;
    }
    if (performance.now() >= deadline) {
      const reason = lastError instanceof Error ? `: ${lastError.message}` : '';
      throw new Error(`${what}: not within ${timeoutMs} ms${reason}`, { cause: lastError });
    }
    await delay(options.everyMs ?? 25);
  }
}

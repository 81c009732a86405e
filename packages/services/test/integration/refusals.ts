import type { DomainErrorCode } from '@innkeeper/domain';
import { expect } from 'vitest';

/** The code that an error must have, or several of its properties. */
type Refusal = DomainErrorCode | { code?: string; message?: unknown; fields?: unknown };

/** Returns the error. If nothing was thrown, returns a plain value, so that expectations on it fail. */
export async function refusalOf(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    (value) => ({ resolved: value }),
    (error) => error,
  );
}

/** Expects that the call throws an error like this. `about` names the case in a loop. */
export async function expectRefusal(call: Promise<unknown>, refusal: Refusal, about?: string): Promise<void> {
  expect(await refusalOf(call), about).toMatchObject(errorLike(refusal));
}

/** Input fields that are refused, each with one sentence or a matcher for it. */
export function invalid(sentences: Record<string, unknown>) {
  const fields = Object.entries(sentences).map(([field, sentence]) => [field, [sentence]]);
  return { code: 'invalid', fields: Object.fromEntries(fields) as Record<string, [unknown]> } as const;
}

export const taken = (field: string) => invalid({ [field]: `The ${field} has already been taken.` });
export const forbidden = (message: unknown) => ({ code: 'forbidden', message }) as const;
export const failedPrecondition = (message: unknown) => ({ code: 'precondition_failed', message }) as const;
export const terminating = failedPrecondition('This account is being terminated.');
export const limitReached = (what: string, limit: number) =>
  ({ code: 'quota_exceeded', message: `${what} limit reached (${limit}).` }) as const;

/**
 * Makes `calls` calls at the same time. Expects that exactly `winners` of them succeed, and that each other call throws
 * an error like `refusal`.
 */
export async function expectRace(
  { calls, winners, refusal }: { calls: number; winners: number; refusal?: Refusal },
  call: (index: number) => Promise<unknown>,
): Promise<void> {
  const results = await Promise.allSettled(Array.from({ length: calls }, (_, index) => call(index)));
  const errors = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []));
  if (refusal !== undefined) for (const error of errors) expect(error).toMatchObject(errorLike(refusal));
  expect(calls - errors.length).toBe(winners);
}

const errorLike = (refusal: Refusal) => (typeof refusal === 'string' ? { code: refusal } : refusal);

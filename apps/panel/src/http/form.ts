import { fieldErrors, nestBracketedKeys } from '@innkeeper/contract';
import { DomainError, type FieldErrors } from '@innkeeper/domain';
import type { Written } from '@innkeeper/services';
import type { MiddlewareHandler } from 'hono';
import type { z } from 'zod';
import { TooManyAttempts } from '../deps.ts';
import type { Form, PanelContext, PanelEnv } from '../env.ts';

const MAX_BYTES = 1024 * 1024;
/** How long a page waits for its node before it shows the change as one that is still being applied. */
const SETTLE_MS = 3_000;

/** Reads a POST's fields, unless it is an upload, whose fields are the page's own affair. */
export function readForms(): MiddlewareHandler<PanelEnv> {
  return async (c, next) => {
    const isForm = /^application\/x-www-form-urlencoded\b/i.test(c.req.header('Content-Type') ?? '');
    c.set('form', isForm ? nestBracketedKeys(new URLSearchParams(await readText(c.req.raw))) : {});
    await next();
  };
}

async function readText(request: Request): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of request.body ?? []) {
    bytes += chunk.length;
    if (bytes > MAX_BYTES) throw new DomainError('precondition_failed', 'This form is too large.');
    chunks.push(chunk);
  }
  return new TextDecoder().decode(Buffer.concat(chunks));
}

/** A form that was refused, as it is shown again. */
export interface Refused {
  status: 403 | 409 | 413 | 422 | 429 | 503;
  /** Sentences for each field. */
  errors: FieldErrors;
  /** What no field is to blame for. */
  message: string | undefined;
  /** What was typed. */
  values: Form;
}

/**
 * Runs what a form asks for. An expected refusal shows the form again, by `again`, with what was typed and the
 * sentence at its field; anything else is an error page.
 */
export async function submit(
  c: PanelContext,
  run: () => Promise<Response>,
  again: (refused: Refused) => Response | Promise<Response>,
): Promise<Response> {
  try {
    return await run();
  } catch (error) {
    const refused = refusalOf(error);
    if (refused === undefined) throw error;
    sayWhenToTryAgain(c, error);
    return await again({ ...refused, values: c.var.form });
  }
}

export function sayWhenToTryAgain(c: PanelContext, error: unknown): void {
  if (error instanceof TooManyAttempts) c.header('Retry-After', String(error.retryAfterS));
}

function refusalOf(error: unknown): Omit<Refused, 'values'> | undefined {
  if (error instanceof DomainError) {
    const { code, message, fields } = error;
    if (code === 'invalid')
      return { status: 422, errors: fields ?? {}, message: fields ? undefined : message };
    if (code === 'quota_exceeded' || code === 'precondition_failed')
      return { status: 422, errors: {}, message };
    if (code === 'forbidden') return { status: 403, errors: {}, message };
    if (code === 'conflict') return { status: 409, errors: {}, message };
    if (code === 'unavailable') return { status: 503, errors: {}, message };
    return undefined;
  }
  const { status, message } = (error instanceof Error ? error : {}) as { status?: unknown; message?: string };
  if (status === 413 || status === 429 || status === 503) return { status, errors: {}, message };
  return undefined;
}

/**
 * The fields as a schema of the contract reads them. Throws `invalid`, with its sentences and those that are
 * `refused` already: what only a form can say wrong.
 */
export function fieldsOf<Schema extends z.ZodType>(
  schema: Schema,
  form: Form,
  refused: FieldErrors = {},
): z.output<Schema> {
  const result = schema.safeParse(form);
  if (result.success && Object.keys(refused).length === 0) return result.data;
  const fields = { ...(result.success ? {} : fieldErrors(result.error)), ...refused };
  throw new DomainError('invalid', 'The given data was invalid.', { fields });
}

/** One field as text, trimmed; empty where it is missing or no text. */
export function textOf(form: Form, field: string): string {
  const value = form[field];
  return typeof value === 'string' ? value.trim() : '';
}

/** One field as a whole number; NaN for anything else, also for nothing. */
export function numberOf(form: Form, field: string): number {
  const text = textOf(form, field);
  return /^-?\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
}

/** Waits a moment for the node, so that what it does at once is done when the next page shows it. */
export async function settle(
  c: PanelContext,
  { accountId, generation }: Pick<Written<unknown>, 'accountId' | 'generation'>,
): Promise<'applied' | 'absent' | 'failed' | 'timeout'> {
  const awaited = { accountId, generation, timeoutMs: SETTLE_MS };
  return (await c.var.deps.waitForObserved(awaited)).outcome;
}

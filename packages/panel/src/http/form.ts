import { type ErrorStatus, nestBracketedKeys, statusOf } from '@innkeeper/contract';
import { DomainError, EDITED_TEXT_MAX_BYTES, type FieldErrors } from '@innkeeper/domain';
import type { Written } from '@innkeeper/services';
import type { Handler, MiddlewareHandler } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { TooManyAttempts } from '../deps.ts';
import type { Form, PanelContext, PanelEnv } from '../env.ts';
import { type Language, languageOf, textsFor } from '../language/language.ts';
import { translate } from '../language/sentences/translate.ts';
import { httpTexts } from './texts/index.ts';

const MAX_BYTES = 1024 * 1024;
/** Maximum wait for the node. After it, the page shows the change as in progress. */
const NODE_WAIT_MS = 3_000;

/** An edited file of 2 MiB, of whose bytes each can be three in a form. */
const MAX_EDITED_BYTES = 3 * EDITED_TEXT_MAX_BYTES + MAX_BYTES;

const limitedTo = (maxSize: number) =>
  bodyLimit({
    maxSize,
    onError: (c: PanelContext) => {
      throw new DomainError('precondition_failed', textsFor(c, httpTexts).formTooLarge);
    },
  });
const limitForm = limitedTo(MAX_BYTES);
const limitEditedFile = limitedTo(MAX_EDITED_BYTES);

/** Reads the fields of a POST. The page of an upload reads its own fields. */
export function readForms(): MiddlewareHandler<PanelEnv> {
  return async (c, next) => {
    c.set('form', {});
    const isForm = /^application\/x-www-form-urlencoded\b/i.test(c.req.header('Content-Type') ?? '');
    if (!isForm) return await next();
    const limit = c.req.path.startsWith('/files/save/') ? limitEditedFile : limitForm;
    return await limit(c, async () => {
      c.set('form', nestBracketedKeys(new URLSearchParams(await c.req.text())));
      await next();
    });
  };
}

/** A refused form, to show again. */
export interface Refused {
  status: ErrorStatus;
  /** Error messages by field, in the language of the answer. */
  errors: FieldErrors;
  /** Error message that belongs to no field. */
  message: string | undefined;
  /** The submitted values. */
  values: Form;
}

/**
 * Runs the action of a form. After an expected refusal, `again` shows the form with the submitted values and the errors
 * at their fields. Any other error shows an error page.
 */
export async function submit(
  c: PanelContext,
  run: () => Promise<Response>,
  again: (refused: Refused) => Response | Promise<Response>,
): Promise<Response> {
  try {
    return await run();
  } catch (error) {
    const refused = refusalOf(error, languageOf(c));
    if (refused === undefined) throw error;
    sayWhenToTryAgain(c, error);
    return await again({ ...refused, values: c.var.form });
  }
}

/** Handles a form: `run` is its action, and `again` shows it after a refusal. See `submit`. */
export function onSubmit(
  run: (c: PanelContext) => Promise<Response>,
  again: (c: PanelContext, refused: Refused) => Response | Promise<Response>,
): Handler<PanelEnv> {
  return (c) =>
    submit(
      c,
      () => run(c),
      (refused) => again(c, refused),
    );
}

/** The refusal of a form for what the panel itself cannot read in its fields. */
export function wrongFields(c: PanelContext, fields: FieldErrors): DomainError {
  return new DomainError('invalid', textsFor(c, httpTexts).wrongFields, { fields });
}

export function sayWhenToTryAgain(c: PanelContext, error: unknown): void {
  if (error instanceof TooManyAttempts) c.header('Retry-After', String(error.retryAfterS));
}

function refusalOf(error: unknown, language: Language): Omit<Refused, 'values'> | undefined {
  if (error instanceof DomainError) {
    const { code, message, fields } = error;
    if (code === 'unauthenticated' || code === 'not_found') return undefined;
    const status = statusOf[code];
    if (fields === undefined) return { status, errors: {}, message: translate(language, message) };
    const errors = Object.entries(fields).map(
      ([field, sentences]) => [field, sentences.map((sentence) => translate(language, sentence))] as const,
    );
    return { status, errors: Object.fromEntries(errors), message: undefined };
  }
  const { status, message = '' } = (error instanceof Error ? error : {}) as Partial<Error> & {
    status?: unknown;
  };
  if (status === 413 || status === 429 || status === 503)
    return { status, errors: {}, message: translate(language, message) };
  return undefined;
}

/** Reads the fields with a schema of the contract. `refused`: errors that only a form can have. */
export { parseFields as fieldsOf } from '@innkeeper/contract';

/** One field as trimmed text. Empty if it is missing or not a text. */
export function textOf(form: Form, field: string): string {
  return rawTextOf(form, field).trim();
}

/** One field as it was typed: a password can begin or end with a space. Empty if it is missing or not a text. */
export function rawTextOf(form: Form, field: string): string {
  const value = form[field];
  return typeof value === 'string' ? value : '';
}

/** One field as a whole number. NaN for anything else, also for an empty field. */
export function numberOf(form: Form, field: string): number {
  const text = textOf(form, field);
  return /^-?\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
}

/** Waits up to 3 s for the node, so that the next page can already show the applied change. */
export async function waitForNode(
  c: PanelContext,
  { accountId, generation }: Pick<Written<unknown>, 'accountId' | 'generation'>,
): Promise<'applied' | 'absent' | 'failed' | 'timeout'> {
  const awaited = { accountId, generation, timeoutMs: NODE_WAIT_MS };
  return (await c.var.deps.waitForObserved(awaited)).outcome;
}

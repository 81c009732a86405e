import { zValidator } from '@hono/zod-validator';
import { fieldErrors, nestBracketedKeys } from '@innkeeper/contract';
import { DomainError, invalidField } from '@innkeeper/domain';
import type { Context, MiddlewareHandler } from 'hono';
import type { z } from 'zod';
import type { Env, Step } from '../env.ts';
import { readBody } from './read-body.ts';

/** Throws `not_found` if the record of the request is missing. Runs before a field is refused. */
export type RequireRecord = (c: Context<Env>, fields: unknown) => Promise<unknown>;

/** Validates path parameters. An invalid parameter means that no such record exists. */
export function validateParams(schema: z.ZodType): Step {
  const refused = (result: Result): void => {
    if (!result.success) throw new DomainError('not_found', 'Not found.');
  };
  const validate = zValidator('param', schema, refused, {
    validationFunction: (fields, value) => fields.safeParse(value),
  }) as MiddlewareHandler;
  return alone(validate);
}

/** Validates the query string. `a[]` and repeated keys become arrays. */
export function validateQuery(schema: z.ZodType, requireRecord: RequireRecord): Step {
  const refused = async (result: Result, c: Context<Env>): Promise<void> => {
    if (!result.success) await refuse(c, { ...result, sent: result.data, requireRecord });
  };
  const validate = zValidator('query', schema, refused, {
    validationFunction: (fields, value) => fields.safeParse(nestBracketedKeys(entriesOf(value))),
  }) as MiddlewareHandler;
  return alone(validate);
}

const nothing = async () => {};

/** Runs a middleware as a step: the next steps run after it without its `next`. */
function alone(middleware: MiddlewareHandler): Step {
  return async (c) => {
    await middleware(c, nothing);
  };
}

/**
 * Validates the body, JSON or a form. The same schema applies to both, so the body is read before it is validated.
 * Throws as `readBody` does, except for invalid JSON: that becomes a field error.
 */
export function validateBody(schema: z.ZodType, requireRecord: RequireRecord): Step {
  return async (c) => {
    const sent = await readBody(c).catch(async (error: unknown) => {
      if (!(error instanceof SyntaxError)) throw error;
      await requireRecord(c, undefined);
      throw invalidField('body', 'The body field must be a valid JSON string.');
    });
    const result = schema.safeParse(sent);
    if (!result.success) return await refuse(c, { ...result, sent, requireRecord });
    c.req.addValidatedData('json', result.data as object);
  };
}

type Result = { data: unknown } & ({ success: true } | { success: false; error: z.core.$ZodError });

/** Throws `invalid` with the refused fields, unless the record of the request is missing. */
async function refuse(
  c: Context<Env>,
  refused: { error: z.core.$ZodError; sent: unknown; requireRecord: RequireRecord },
): Promise<never> {
  await refused.requireRecord(c, refused.sent);
  const fields = fieldErrors(refused.error);
  throw new DomainError('invalid', 'The given data was invalid.', { fields });
}

function* entriesOf(query: Record<string, string | string[]>): Generator<[string, string]> {
  for (const [name, values] of Object.entries(query)) {
    for (const value of Array.isArray(values) ? values : [values]) yield [name, value];
  }
}

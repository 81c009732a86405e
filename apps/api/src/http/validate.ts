import { zValidator } from '@hono/zod-validator';
import { fieldErrors, nestBracketedKeys } from '@innkeeper/contract';
import { DomainError, invalidField } from '@innkeeper/domain';
import type { Context, MiddlewareHandler } from 'hono';
import { HTTPException } from 'hono/http-exception';
import type { z } from 'zod';
import type { Env } from './env.ts';

/** Throws `not_found` when the record that a request is about is missing; called before a field is refused. */
export type RequireRecord = (c: Context<Env>, fields: unknown) => Promise<unknown>;

/** Path parameters. What does not fit names no record. */
export function validateParams(schema: z.ZodType): MiddlewareHandler<Env> {
  const refused = (result: Result): void => {
    if (!result.success) throw new DomainError('not_found', 'Not found.');
  };
  return zValidator('param', schema, refused, {
    validationFunction: (fields, value) => fields.safeParse(value),
  }) as MiddlewareHandler;
}

/** The query string, with `a[]` and repeated keys as arrays. */
export function validateQuery(schema: z.ZodType, requireRecord: RequireRecord): MiddlewareHandler<Env> {
  return zValidator('query', schema, refuse(requireRecord), {
    validationFunction: (fields, value) => fields.safeParse(nestBracketedKeys(entriesOf(value))),
  }) as MiddlewareHandler;
}

/** The JSON that `readBody` left. */
export function validateBody(schema: z.ZodType, requireRecord: RequireRecord): MiddlewareHandler<Env> {
  const validate = zValidator('json', schema, refuse(requireRecord), {
    validationFunction: (fields, value) => fields.safeParse(value),
  }) as MiddlewareHandler;
  return async (c, next) => {
    try {
      return await validate(c, next);
    } catch (error) {
      if (!(error instanceof HTTPException)) throw error;
      await requireRecord(c, undefined);
      throw invalidField('body', 'The body field must be a valid JSON string.');
    }
  };
}

type Result = { data: unknown } & ({ success: true } | { success: false; error: z.core.$ZodError });

function refuse(requireRecord: RequireRecord) {
  return async (result: Result, c: Context): Promise<void> => {
    if (result.success) return;
    await requireRecord(c, result.data);
    const fields = fieldErrors(result.error);
    throw new DomainError('invalid', 'The given data was invalid.', { fields });
  };
}

function* entriesOf(query: Record<string, string | string[]>): Generator<[string, string]> {
  for (const [name, values] of Object.entries(query)) {
    for (const value of Array.isArray(values) ? values : [values]) yield [name, value];
  }
}

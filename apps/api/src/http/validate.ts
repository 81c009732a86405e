import { fieldErrors, nestBracketedKeys } from '@innkeeper/contract';
import { DomainError, invalidField } from '@innkeeper/domain';
import type { Context, MiddlewareHandler } from 'hono';
import type { z } from 'zod';
import type { Env } from './env.ts';
import { readBody } from './read-body.ts';

/** Throws `not_found` when the record that a request is about is missing; called before a field is refused. */
export type RequireRecord = (c: Context<Env>, fields: unknown) => Promise<unknown>;

/** Path parameters. What does not fit names no record. */
export function validateParams(schema: z.ZodType): MiddlewareHandler<Env> {
  return async (c, next) => {
    const { success, data } = schema.safeParse(c.req.param());
    if (!success) throw new DomainError('not_found', 'Not found.');
    c.req.addValidatedData('param', data as object);
    await next();
  };
}

/** The query string, with `a[]` and repeated keys as arrays. */
export function validateQuery(schema: z.ZodType, requireRecord: RequireRecord): MiddlewareHandler<Env> {
  return async (c, next) => {
    const sent = nestBracketedKeys(entriesOf(c.req.queries()));
    c.req.addValidatedData('query', await accept(c, { schema, sent, requireRecord }));
    await next();
  };
}

/** The body, JSON or a form. Throws as `readBody` does, but for what is no JSON: that is a field's fault. */
export function validateBody(schema: z.ZodType, requireRecord: RequireRecord): MiddlewareHandler<Env> {
  return async (c, next) => {
    const sent = await readBody(c).catch(async (error: unknown) => {
      if (!(error instanceof SyntaxError)) throw error;
      await requireRecord(c, undefined);
      throw invalidField('body', 'The body field must be a valid JSON string.');
    });
    c.req.addValidatedData('json', await accept(c, { schema, sent, requireRecord }));
    await next();
  };
}

/** What the schema makes of the fields. Throws `invalid` with those that it refuses. */
async function accept(
  c: Context<Env>,
  { schema, sent, requireRecord }: { schema: z.ZodType; sent: unknown; requireRecord: RequireRecord },
): Promise<object> {
  const { success, data, error } = schema.safeParse(sent);
  if (success) return data as object;
  await requireRecord(c, sent);
  throw new DomainError('invalid', 'The given data was invalid.', { fields: fieldErrors(error) });
}

function* entriesOf(query: Record<string, string[]>): Generator<[string, string]> {
  for (const [name, values] of Object.entries(query)) for (const value of values) yield [name, value];
}

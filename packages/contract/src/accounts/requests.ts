import { USERNAME_PATTERN } from '@innkeeper/domain';
import { z } from 'zod';
import type { InputOf } from '../endpoint.ts';
import { type FieldKind, isBlank, optional, required } from '../fields/field.ts';
import { boolean, email, integer, text } from '../fields/kinds.ts';
import { inputSchema } from '../openapi/json-schema.ts';
import { pageQuery } from '../pagination.ts';
import { customFields, overrideFields, resourceFields } from './limit-fields.ts';

const LETTERS = /^[A-Za-z0-9_-]*$/;

/** 3-16 ASCII letters, digits, dashes and underscores. Normalized to lowercase. */
export function username(): FieldKind<string> {
  return text({
    min: 3,
    max: 16,
    accepts: (name) => LETTERS.test(name),
    read: (name) => name.toLowerCase(),
    schema: { pattern: USERNAME_PATTERN.source },
  });
}

/** A password is not trimmed. */
export function password(): FieldKind<string> {
  return text({ min: 8, max: 255, keepsWhitespace: true, schema: { format: 'password' } });
}

export const listAccountsQuery = z.object({
  username: optional(text({ max: 255, read: (name) => name.toLowerCase() })),
  ...pageQuery,
});

export const checkUsernameQuery = z.object({ username: required(username()) });

const includable = ['apps', 'usage'] as const;
export type AccountInclude = (typeof includable)[number];

/** `include` is a comma-separated list. Unknown names are ignored. */
export const showAccountQuery = z.object({
  include: optional(text({ max: 255 })).transform((list): ReadonlySet<AccountInclude> => {
    const names = new Set((list ?? '').split(',').map((name) => name.trim()));
    return new Set(includable.filter((name) => names.has(name)));
  }),
});

const newAccountFields = {
  username: required(username()),
  name: required(text({ max: 100 })),
  email: required(email()),
  password: required(password()),
};

const packageMode = z
  .object({
    ...newAccountFields,
    package_id: required(integer()),
    ...overrideFields,
    terminal_access: optional(boolean()),
  })
  .meta({ title: 'With a package' });

const customMode = z
  .object({
    ...newAccountFields,
    package_id: optional(integer())
      .transform(() => null)
      .meta({ type: 'null' }),
    ...customFields,
    terminal_access: optional(boolean()),
  })
  .meta({ title: 'With custom limits' });

/** With a package the limits are optional overrides. Without a package the seven sizes and counts are required. */
export const createAccountBody = z
  .unknown()
  .transform((input, ctx): z.output<typeof packageMode> | z.output<typeof customMode> => {
    const packageId = z.object({ package_id: z.unknown() }).safeParse(input).data?.package_id;
    const result = (isBlank(packageId) ? customMode : packageMode).safeParse(input);
    if (result.success) return result.data;
    for (const { message, path } of result.error.issues)
      ctx.addIssue({ code: 'custom', message, path, input });
    return z.NEVER;
  })
  .meta({ anyOf: [inputSchema(packageMode), inputSchema(customMode)] });

export const accountPasswordBody = z.object({ password: required(password()) });

export const accountPackageBody = z.object({ package_id: required(integer()) });

export const accountResourcesBody = z.object({ ...resourceFields, terminal_access: required(boolean()) });

export type NewAccount = InputOf<typeof createAccountBody>;

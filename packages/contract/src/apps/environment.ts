import {
  ENV_NAME_MAX_CHARACTERS,
  ENV_NAME_PATTERN,
  ENV_TOTAL_MAX_CHARACTERS,
  ENV_VALUE_MAX_CHARACTERS,
  ENV_VARS_PER_APP,
  isPrintableText,
} from '@innkeeper/domain';
import { z } from 'zod';
import { isBlank } from '../fields/field.ts';

/** A value can also be a JSON number or boolean. Null is an empty value. */
function readValue(value: unknown): string | undefined {
  if (value === null) return '';
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  return typeof value === 'string' ? value.trim() : undefined;
}

const WRONG_NAME =
  'The :attribute field must only have names of letters, digits and _ that do not begin with a digit.';

function isName(name: string): boolean {
  return name.length <= ENV_NAME_MAX_CHARACTERS && ENV_NAME_PATTERN.test(name);
}

function refusalOf(value: string | undefined): string | undefined {
  if (value === undefined) return 'The :attribute field must be a string.';
  if (value.length > ENV_VALUE_MAX_CHARACTERS)
    return `The :attribute field must not be greater than ${ENV_VALUE_MAX_CHARACTERS} characters.`;
  return isPrintableText(value) ? undefined : 'The :attribute field format is invalid.';
}

/**
 * `env`: an object of environment variables, read as names and values. Values can have several lines. The error of a
 * rejected value is at `env.NAME`.
 */
export const environment = z
  .unknown()
  .optional()
  .transform((input, ctx): ReadonlyMap<string, string> => {
    if (isBlank(input)) return new Map();
    if (typeof input !== 'object' || input === null || Array.isArray(input)) {
      ctx.addIssue({ code: 'custom', message: 'The :attribute field must be an object.', input });
      return z.NEVER;
    }
    const variables = new Map<string, string>();
    if (!Object.keys(input).every(isName)) {
      ctx.addIssue({ code: 'custom', message: WRONG_NAME, input });
      return z.NEVER;
    }
    for (const [name, given] of Object.entries(input)) {
      const value = readValue(given);
      const message = refusalOf(value);
      if (message !== undefined) ctx.addIssue({ code: 'custom', message, input: given, path: [name] });
      variables.set(name, value ?? '');
    }
    const characters = [...variables.values()].reduce((sum, value) => sum + value.length, 0);
    if (variables.size > ENV_VARS_PER_APP)
      ctx.addIssue({
        code: 'custom',
        message: `The :attribute field must not have more than ${ENV_VARS_PER_APP} items.`,
        input,
      });
    else if (characters > ENV_TOTAL_MAX_CHARACTERS)
      ctx.addIssue({
        code: 'custom',
        message: `The :attribute field must not hold more than ${ENV_TOTAL_MAX_CHARACTERS} characters in all.`,
        input,
      });
    return variables;
  })
  .meta({ type: 'object', additionalProperties: { type: ['string', 'number', 'boolean', 'null'] } });

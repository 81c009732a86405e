import { z } from 'zod';

/** The process cannot start, because its settings are invalid. One sentence for each problem. */
export class ConfigError extends Error {
  override name = 'ConfigError';

  constructor(...problems: readonly string[]) {
    super(problems.join('\n'));
  }
}

/**
 * Reads the settings of a process from environment variables. An empty variable counts as not set. Throws ConfigError
 * with the name and the rule of each invalid variable.
 */
export function readEnvironment<Schema extends z.ZodType>(
  schema: Schema,
  environment: Readonly<Record<string, string | undefined>>,
): z.output<Schema> {
  const present = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''));
  const parsed = schema.safeParse(present);
  if (parsed.success) return parsed.data;
  throw new ConfigError(...parsed.error.issues.map(({ path, message }) => `${path.join('.')} ${message}.`));
}

/** A variable with a whole number. `unit`: for the sentence, such as `milliseconds`. */
export function wholeNumber({ min, max, unit }: { min: number; max: number; unit?: string }) {
  return z
    .string()
    .regex(/^\d{1,10}$/, `must be a whole number${unit === undefined ? '' : ` of ${unit}`}`)
    .transform(Number)
    .refine((value) => value >= min && value <= max, `must be from ${min} to ${max}`);
}

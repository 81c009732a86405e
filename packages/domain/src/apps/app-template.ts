import { z } from 'zod';
import { isPrintableLine } from '../printable-line.ts';
import {
  appInstallers,
  appRuntimes,
  ENV_NAME_MAX_CHARACTERS,
  ENV_NAME_PATTERN,
  ENV_VALUE_MAX_CHARACTERS,
  NODE_VERSION_PATTERN,
} from './app.ts';
import { readStartCommand, START_COMMAND_MAX_CHARACTERS } from './start-command.ts';

const line = (min: number, max: number) =>
  z
    .string()
    .min(min, min === 1 ? 'must not be empty' : `must have at least ${min} characters`)
    .max(max, `must not have more than ${max} characters`)
    .refine(isPrintableLine, 'must be one line without control characters');

const variable = z.strictObject({
  /** Name of the environment variable. */
  name: line(1, ENV_NAME_MAX_CHARACTERS).regex(
    ENV_NAME_PATTERN,
    'must have letters, digits and _ only, and must not begin with a digit',
  ),
  /** Display name. */
  label: line(1, 100),
  description: line(0, 500).default(''),
  required: z.boolean().default(false),
  /** Stored sealed, and never shown again. */
  secret: z.boolean().default(false),
  /** Default value; null: not set. */
  default: line(0, ENV_VALUE_MAX_CHARACTERS).nullable().default(null),
});

const fields = z.strictObject({
  key: z
    .string()
    .regex(
      /^[a-z0-9][a-z0-9-]{0,63}$/,
      'must have 1 to 64 of a-z, 0-9 and -, and must not begin with a hyphen',
    ),
  name: line(1, 100),
  description: line(0, 500).default(''),
  /** Name of an icon in the panel. */
  icon: z
    .string()
    .regex(/^[a-z0-9][a-z0-9-]{0,63}$/, 'must have 1 to 64 of a-z, 0-9 and -')
    .default('app'),
  runtime: z.enum(appRuntimes, `must be one of ${appRuntimes.join(', ')}`),
  /** The installer of an app without a deploy. */
  installer: z.enum(appInstallers, `must be one of ${appInstallers.join(', ')}`).default('starter'),
  /** Default: true, except for Node.js. */
  requires_domain: z.boolean().optional(),
  /** Whether each app gets a database of its own. */
  database: z.boolean().default(false),
  env_schema: z.array(variable).max(50, 'must not have more than 50 items').default([]),
  /** Major versions to choose from. The last one is the default. */
  node_versions: z
    .array(z.string().regex(NODE_VERSION_PATTERN, 'must be major versions, such as "22"'))
    .min(1, 'must have at least one item')
    .max(20, 'must not have more than 20 items')
    .optional(),
  /** Null: each app must set its own. */
  start_command: line(1, START_COMMAND_MAX_CHARACTERS).nullable().default(null),
});

/** A template that apps are installed from. */
export type AppTemplate = Omit<z.infer<typeof fields>, 'requires_domain'> & { requires_domain: boolean };

/** Schema of a template file. Rejects unknown fields, so that a typing error does not silently become a default. */
export const appTemplateSchema = fields
  .superRefine((template, ctx) => {
    const refuse = (field: keyof AppTemplate, message: string) =>
      ctx.addIssue({ code: 'custom', path: [field], message });
    const { runtime, node_versions, start_command, installer, database, env_schema } = template;
    if (runtime === 'nodejs' && node_versions === undefined)
      refuse('node_versions', 'must be there when the runtime is nodejs');
    if (runtime !== 'nodejs' && node_versions !== undefined)
      refuse('node_versions', 'must only be there when the runtime is nodejs');
    if (runtime !== 'nodejs' && start_command !== null)
      refuse('start_command', 'must only be there when the runtime is nodejs');
    if (start_command !== null) {
      const { refused } = readStartCommand(start_command);
      if (refused !== undefined) refuse('start_command', refused);
    }
    if (installer === 'wordpress' && (runtime !== 'php' || !database))
      refuse('installer', 'can only be wordpress when the runtime is php and database is true');
    if (new Set(env_schema.map(({ name }) => name)).size < env_schema.length)
      refuse('env_schema', 'must not have a name twice');
    if (new Set(node_versions).size < (node_versions?.length ?? 0))
      refuse('node_versions', 'must not have a version twice');
  })
  .transform(
    (template): AppTemplate => ({
      ...template,
      requires_domain: template.requires_domain ?? template.runtime !== 'nodejs',
    }),
  );

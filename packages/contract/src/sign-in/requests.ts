import { z } from 'zod';
import { choice, integer, optional, required } from '../fields/index.ts';

/** Pages that a login link can lead to. */
export const loginTargets = [
  'dashboard',
  'apps',
  'domains',
  'databases',
  'cron',
  'files',
  'terminal',
  'backups',
  'app',
] as const;
export type LoginTarget = (typeof loginTargets)[number];

const target = optional(choice(loginTargets)).transform((name) => name ?? 'dashboard');
const domain_id = optional(integer());
const toPage = z.object({ target, app_id: optional(integer()), domain_id });
const toApp = z.object({
  target,
  app_id: required(integer(), 'The :attribute field is required when target is app.'),
  domain_id,
});

/** `app_id` is needed, and asked for, only where the target is an app. */
export const loginLinkBody = z
  .unknown()
  .transform((input, ctx): z.output<typeof toPage> => {
    const wanted = z.object({ target }).safeParse(input).data?.target;
    const result = (wanted === 'app' ? toApp : toPage).safeParse(input);
    if (result.success) return result.data;
    for (const { message, path } of result.error.issues)
      ctx.addIssue({ code: 'custom', message, path, input });
    return z.NEVER;
  })
  .meta({
    type: 'object',
    properties: {
      target: { type: 'string', enum: [...loginTargets], default: 'dashboard' },
      app_id: { type: 'integer' },
      domain_id: { type: 'integer' },
    },
  });

import { loginTargets } from '@innkeeper/domain';
import { z } from 'zod';
import { optional, required } from '../fields/field.ts';
import { choice, integer } from '../fields/kinds.ts';

const target = optional(choice(loginTargets)).transform((name) => name ?? 'dashboard');
const domain_id = optional(integer());
const toPage = z.object({ target, app_id: optional(integer()), domain_id });
const toApp = z.object({
  target,
  app_id: required(integer(), 'The :attribute field is required when target is app.'),
  domain_id,
});

/** `app_id` is required only if the target is an app. */
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

const ID = /^[1-9]\d{0,15}$/;
const id = z.string().regex(ID);

/** The path of a login link. An invalid id becomes 0, for which no valid signature exists. */
export const loginLinkParams = z.strictObject({
  id: z
    .string()
    .transform((text) => (ID.test(text) ? Number(text) : 0))
    .meta({ type: 'integer', minimum: 1 }),
});

const signedFields = z.strictObject({
  /** Seconds since 1970. */
  expires: z.string().regex(/^[1-9]\d{0,11}$/),
  target: z.enum(loginTargets),
  app_id: id.optional(),
  domain_id: id.optional(),
  signature: z.string(),
});

/**
 * The query of a login link, with each field once. Null for anything else: its signature cannot be valid, and the
 * error message is the same as for a wrong signature.
 */
export const loginLinkQuery = z
  .unknown()
  .transform((input) => {
    const { success, data } = signedFields.safeParse(input);
    if (!success) return null;
    const { signature, target, expires, app_id, domain_id } = data;
    const destination = { target, app_id: idOrNull(app_id), domain_id: idOrNull(domain_id) };
    return { signature, destination, expires: Number(expires) };
  })
  .meta({
    type: 'object',
    properties: {
      expires: { type: 'integer' },
      target: { type: 'string', enum: [...loginTargets] },
      app_id: { type: 'integer' },
      domain_id: { type: 'integer' },
      signature: { type: 'string' },
    },
    required: ['expires', 'target', 'signature'],
  });

function idOrNull(digits: string | undefined): number | null {
  return digits === undefined ? null : Number(digits);
}

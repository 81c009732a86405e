import { GIT_BRANCH_PATTERN, hasGitCredentials, isGitRepository } from '@innkeeper/domain';
import { z } from 'zod';
import { type FieldKind, isBlank, optional, required } from '../fields/field.ts';
import { text } from '../fields/kinds.ts';

export interface GitSource {
  repository: string;
  branch: string;
  deploy_key: string | null;
}

const PRIVATE_KEY =
  /^-----BEGIN (?:OPENSSH |RSA |EC )?PRIVATE KEY-----\n[A-Za-z0-9+/=:,\- \n]+\n-----END (?:OPENSSH |RSA |EC )?PRIVATE KEY-----\n$/;

/** The only field whose value can have several lines. */
function deployKey(): FieldKind<string> {
  const normal = (key: unknown) => `${String(key).trim().replaceAll('\r\n', '\n')}\n`;
  return {
    rules: [
      (value) =>
        typeof value === 'string' && value.length <= 16_384 && PRIVATE_KEY.test(normal(value))
          ? undefined
          : 'The :attribute field must be a private key in OpenSSH or PEM format.',
    ],
    read: normal,
    keepsWhitespace: true,
    schema: { type: 'string', format: 'password', maxLength: 16_384 },
  };
}

function repository(): FieldKind<string> {
  const kind = text({ max: 500, accepts: (url) => isGitRepository(url) || hasGitCredentials(url) });
  const withoutCredentials = (value: unknown) =>
    typeof value === 'string' && hasGitCredentials(value.trim())
      ? 'The :attribute field must not contain a password or token: use an SSH address with a deploy key.'
      : undefined;
  return { ...kind, rules: [withoutCredentials, ...kind.rules] };
}

const fields = z.object({
  repository: required(repository()),
  branch: optional(text({ max: 200, accepts: (name) => GIT_BRANCH_PATTERN.test(name) })),
  deploy_key: optional(deployKey()),
});

/** `git`: the repository of an app. Its URL never contains credentials. */
export const gitSource = z
  .unknown()
  .optional()
  .transform((input, ctx): GitSource | undefined => {
    if (isBlank(input)) return undefined;
    if (typeof input !== 'object' || Array.isArray(input)) {
      ctx.addIssue({ code: 'custom', message: 'The :attribute field must be an object.', input });
      return z.NEVER;
    }
    const parsed = fields.safeParse(input);
    if (parsed.success) {
      const { repository, branch, deploy_key } = parsed.data;
      return { repository, branch: branch ?? 'main', deploy_key: deploy_key ?? null };
    }
    for (const { message, path } of parsed.error.issues)
      ctx.addIssue({ code: 'custom', message, path, input });
    return z.NEVER;
  })
  .meta({
    type: 'object',
    required: ['repository'],
    properties: {
      repository: { type: 'string', maxLength: 500 },
      branch: { type: 'string', maxLength: 200, default: 'main' },
      deploy_key: { type: 'string', format: 'password' },
    },
  });

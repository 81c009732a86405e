import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { type AppDetails, type Database, findPushHook, getAppDetails, setPushSecret } from '@innkeeper/db';
import { type Action, DomainError } from '@innkeeper/domain';
import type { Transaction } from 'kysely';
import { audit } from '../audit.ts';
import type { OperatorContext, ServiceContext } from '../context.ts';
import { lockAsked } from '../desired-state.ts';
import { writeOnce } from '../idempotency/write-once.ts';
import { scopeOf } from '../scope.ts';
import { assertKept } from './app-policy.ts';
import { deployBranch } from './deploy-git.ts';

const SECRET_BYTES = 32;

/**
 * Makes the secret of an app's push hook, or a new one; the former stops working. It is returned once and stored sealed.
 * Throws `not_found`, and `precondition_failed` for an app without a repository, one that is being removed, and an account
 * that is being terminated.
 */
export async function renewPushSecret(
  ctx: ServiceContext,
  { app_id }: { app_id: number },
): Promise<{ secret: string }> {
  const secret = randomBytes(SECRET_BYTES).toString('base64url');
  await changeHook(ctx, { app_id, action: 'app.push-hook' }, async (trx, app) => {
    if (app.git_repository === null)
      throw new DomainError('precondition_failed', 'Git deploy is not configured for this app.');
    await setPushSecret(trx, app.id, ctx.sealer.seal('push-secret', secret));
  });
  return { secret };
}

/** Turns the push hook off. Throws like `renewPushSecret`, also if it has none. */
export async function removePushSecret(ctx: ServiceContext, { app_id }: { app_id: number }): Promise<void> {
  await changeHook(ctx, { app_id, action: 'app.push-hook-off' }, (trx, app) =>
    setPushSecret(trx, app.id, null),
  );
}

async function changeHook(
  ctx: ServiceContext,
  { app_id: id, action }: { app_id: number; action: Action },
  change: (trx: Transaction<Database>, app: AppDetails) => Promise<void>,
): Promise<void> {
  await writeOnce(ctx, async (trx) => {
    const account = await lockAsked(trx, ctx, { action, kind: 'app', id });
    const app = await getAppDetails(trx, scopeOf(ctx.actor), id);
    assertKept(app);
    await change(trx, app);
    const entry = { action, target: `app:${id}`, account_id: account.id, details: { name: app.name } };
    await audit(trx, ctx, entry);
  });
}

/** A request of a Git host. `headers` returns undefined for a header that was not sent. */
export interface PushRequest {
  app_id: number;
  header: (name: string) => string | undefined;
  body: Buffer;
}

export type PushOutcome = 'deployed' | 'ping' | 'other_branch' | 'other_event';

/**
 * Deploys the branch of an app after a push to it. The sender proves the app's secret: GitHub, Gitea and Forgejo sign the
 * body, GitLab sends the secret itself. `admit` runs after the proof and before the deploy. Throws `unauthenticated`
 * for a wrong proof, an app without a hook and one that does not exist, which look the same; and like `deployGit`.
 */
export async function receivePush(
  ctx: OperatorContext,
  { app_id, header, body }: PushRequest,
  admit: () => Promise<void>,
): Promise<PushOutcome> {
  const hook = await findPushHook(ctx.db, app_id);
  // Without a hook the proof is compared with a secret that nobody has, at the same cost.
  const secret =
    hook === undefined
      ? randomBytes(SECRET_BYTES).toString('base64url')
      : ctx.sealer.open('push-secret', hook.sealed);
  if (!isProven(secret, header, body))
    throw new DomainError('unauthenticated', 'The signature does not match the secret of this hook.');
  const event = header('X-GitHub-Event') ?? header('X-Gitea-Event') ?? header('X-Gitlab-Event');
  if (event === 'ping') return 'ping';
  if (event !== 'push' && event !== 'Push Hook') return 'other_event';
  const pushed = pushedBranch(body, header('Content-Type') ?? '');
  if (pushed !== hook?.branch) return 'other_branch';
  await admit();
  await deployBranch(ctx, { app_id, action: 'app.push-deploy' });
  return 'deployed';
}

function isProven(secret: string, header: PushRequest['header'], body: Buffer): boolean {
  const signature =
    /^sha256=([0-9a-f]{64})$/.exec(header('X-Hub-Signature-256') ?? '')?.[1] ??
    /^[0-9a-f]{64}$/.exec(header('X-Gitea-Signature') ?? '')?.[0];
  if (signature !== undefined)
    return timingSafeEqual(Buffer.from(signature, 'hex'), createHmac('sha256', secret).update(body).digest());
  const token = header('X-Gitlab-Token');
  // Digests have one length, so the comparison takes the same time for every token.
  const digest = (text: string) => createHmac('sha256', 'token').update(text).digest();
  return token !== undefined && timingSafeEqual(digest(token), digest(secret));
}

/** The branch of a push. Undefined for a tag, a deleted branch, and a body that names none. */
function pushedBranch(body: Buffer, contentType: string): string | undefined {
  const text = body.toString('utf8');
  const json = contentType.startsWith('application/x-www-form-urlencoded')
    ? (new URLSearchParams(text).get('payload') ?? '')
    : text;
  try {
    const { ref, after, deleted } = JSON.parse(json) as Record<string, unknown>;
    if (typeof ref !== 'string' || deleted === true || /^0+$/.test(String(after))) return undefined;
    return /^refs\/heads\/(.+)$/.exec(ref)?.[1];
  } catch {
    return undefined;
  }
}

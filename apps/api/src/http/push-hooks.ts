import { DomainError } from '@innkeeper/domain';
import { type PushOutcome, receivePush } from '@innkeeper/services';
import type { Context, Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import type { Deps } from '../deps.ts';
import type { Env } from './env.ts';
import { HttpError } from './error-response.ts';
import { jsonResponse } from './json-response.ts';
import { networkOf } from './request/rate-limit.ts';

/** Git hosts send the newest commits with a push; a large push has a few MB. */
const MAX_BYTES = 5 * 1024 * 1024;
/** Per minute. Both count in all instances together. */
const REQUESTS_OF_NETWORK = 60;
const DEPLOYS_OF_APP = 6;

const messages: Readonly<Record<PushOutcome, string>> = {
  deployed: 'The deploy has started.',
  ping: 'The hook works.',
  other_branch: 'Nothing to deploy: the push was not to the branch of the app.',
  other_event: 'Nothing to deploy: only pushes deploy.',
};

/** The address that a Git host calls after a push. It has no token: the request proves the secret of the app's hook. */
export function registerPushHooks(app: Hono<Env>, deps: Deps): void {
  const limit = bodyLimit({
    maxSize: MAX_BYTES,
    onError: () => {
      throw new HttpError(413, 'The body is too large.');
    },
  });
  const admit = async (bucket: string, perMinute: number) => {
    const { refused } = await deps.rateLimiter.hit(bucket, perMinute);
    if (refused !== undefined)
      throw new HttpError(429, 'Too many requests.', { 'Retry-After': String(refused.retryAfterS) });
  };
  const countSender = async (c: Context<Env>, next: () => Promise<void>) => {
    await admit(`push-hook:${networkOf(c.var.address)}`, REQUESTS_OF_NETWORK);
    await next();
  };
  app.post('/hooks/apps/:id', countSender, limit, async (c) => {
    const id = c.req.param('id') ?? '';
    if (!/^[1-9]\d{0,14}$/.test(id)) throw new DomainError('not_found', 'There is no such hook.');
    c.set('route', '/hooks/apps/{id}');
    const { requestId, address } = c.var;
    const actor = { userId: null, role: 'admin', tokenId: null, address } as const;
    const app_id = Number(id);
    const outcome = await receivePush(
      { ...deps, requestId, actor },
      { app_id, header: (name) => c.req.header(name), body: Buffer.from(await c.req.arrayBuffer()) },
      () => admit(`push-deploys:${app_id}`, DEPLOYS_OF_APP),
    );
    return jsonResponse(outcome === 'deployed' ? 202 : 200, { message: messages[outcome] });
  });
}

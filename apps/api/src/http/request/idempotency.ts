import type { Endpoint } from '@innkeeper/contract';
import { invalidField } from '@innkeeper/domain';
import { KEY_LEASE_S, type KeyOutcome, type ServiceContext } from '@innkeeper/services';
import type { Deps } from '../../deps.ts';
import type { Step } from '../env.ts';
import { NodeRefusedError } from '../error-response.ts';
import type { JsonAnswer } from '../json-response.ts';
import { serviceContext } from '../server/service-context.ts';
import { sameRequestText } from './same-request-text.ts';
import type { RequireRecord } from './validate.ts';

const MAX_LENGTH = 255;
const DAY_S = 24 * 3600;
const RENEW_EVERY_MS = (KEY_LEASE_S * 1000) / 4;

/**
 * Makes a write with an Idempotency-Key safe to retry. Wraps the route's `answer`, after all fields are checked and an
 * upload has arrived. Stores only successes; a refusal is decided again at each retry.
 */
export function idempotency(
  deps: Deps,
  endpoint: Endpoint,
  requireRecord: RequireRecord,
  answer: Step,
): Step {
  const keptForS = endpoint.answerLastsS ?? DAY_S;
  return async (c) => {
    const key = c.req.header('Idempotency-Key');
    const identity = c.get('identity');
    if (key === undefined || identity === undefined) {
      await answer(c);
      return;
    }
    const body = endpoint.body === undefined ? undefined : c.req.valid('json' as never);
    await requireGoodKey(key, () => requireRecord(c, body));
    const context = serviceContext(c, deps, identity);
    const { upload: field } = endpoint;
    const fields = field === undefined ? body : { [field]: c.get('upload')?.sha256 };
    const request = sameRequestText(endpoint.method, c.req.path, fields);
    const { kept, claim } = await deps.services.claimKey(context, { key, request });
    if (kept !== undefined) {
      c.set('answer', { status: kept.status, text: kept.body });
      c.get('headers')['Idempotent-Replayed'] = 'true';
      return;
    }

    c.set('claim', claim);
    const warn = warnOf(deps, context);
    const renewal = setInterval(
      () => deps.services.renewKey(context, claim).catch(warn('could not be renewed')),
      RENEW_EVERY_MS,
    );
    let failure: unknown;
    try {
      await answer(c);
    } catch (error) {
      failure = error;
      throw error;
    } finally {
      clearInterval(renewal);
      const outcome = outcomeOf(c.get('answer'), failure, keptForS);
      // The write has succeeded or failed. The client gets this answer even if the key could not be settled.
      await deps.services.settleKey(context, claim, outcome).catch(warn('could not be settled'));
    }
  };
}

async function requireGoodKey(key: string, requireRecord: () => Promise<unknown>): Promise<void> {
  if (key.length >= 1 && key.length <= MAX_LENGTH) return;
  await requireRecord();
  const rule = key.length === 0 ? 'be at least 1 character' : `not be greater than ${MAX_LENGTH} characters`;
  throw invalidField('idempotency_key', `The idempotency key field must ${rule}.`);
}

function outcomeOf(answer: JsonAnswer | undefined, failure: unknown, keptForS: number): KeyOutcome {
  if (failure instanceof NodeRefusedError) return 'undone';
  return failure === undefined && answer !== undefined && answer.status < 300
    ? { status: answer.status, body: answer.text, keptForS }
    : 'failed';
}

function warnOf({ logger }: Deps, { requestId }: ServiceContext) {
  return (what: string) => (error: unknown) =>
    logger.warn({ err: error, request_id: requestId }, `an Idempotency-Key ${what}`);
}

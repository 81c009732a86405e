import { randomBytes } from 'node:crypto';
import {
  type Database,
  deleteSession,
  findSessionByHash,
  insertSession,
  type SessionMethod,
  setUserLanguage,
} from '@innkeeper/db';
import type { Transaction } from 'kysely';
import { audit } from '../audit.ts';
import type { VisitorContext } from '../panel-context.ts';
import { hashSecret } from '../secrets/random-secrets.ts';
import { later, SESSION_LIFETIME_MS } from './session-lifetime.ts';

export interface NewSession {
  id: number;
  /** 256 random bits, for the browser's cookie. The database stores only their SHA-256. */
  token: string;
  expires_at: Date;
}

export interface OperatorSession {
  user_id: number;
  session_id: number;
}

const USER_AGENT_MAX_CHARACTERS = 255;

/**
 * Creates a new session for a panel user. Never reuses a session that the browser sent; those sessions end. The caller
 * has checked that the user may sign in, in the same transaction and with the account locked.
 */
export async function createSession(
  trx: Transaction<Database>,
  visitor: Pick<VisitorContext, 'requestId' | 'now' | 'address' | 'userAgent' | 'replaces' | 'language'>,
  opened: {
    user_id: number;
    account_id: number | null;
    method: SessionMethod;
    /** The operator who logs in as the user, with the operator's own session. The new session ends with it. */
    operator?: OperatorSession | undefined;
    details?: Readonly<Record<string, unknown>>;
  },
): Promise<NewSession> {
  const { requestId, now, address, userAgent, replaces = [] } = visitor;
  const { user_id, account_id, method, operator, details } = opened;
  const token = randomBytes(32).toString('base64url');
  const created_at = now();
  const expires_at = later(created_at, SESSION_LIFETIME_MS);
  for (const former of replaces) await endReplaced(trx, visitor, former);
  const id = await insertSession(trx, {
    token_hash: hashSecret(token),
    user_id,
    method,
    address,
    user_agent: userAgent.slice(0, USER_AGENT_MAX_CHARACTERS),
    created_at,
    last_seen_at: created_at,
    expires_at,
    proved_at: method === 'password' ? created_at : null,
    operator_user_id: operator?.user_id ?? null,
    operator_session_id: operator?.session_id ?? null,
  });
  if (visitor.language !== undefined && operator === undefined)
    await setUserLanguage(trx, user_id, visitor.language);
  await audit(
    trx,
    { requestId, now, actor: { userId: user_id, operatorUserId: operator?.user_id, tokenId: null, address } },
    { action: 'session.create', target: `session:${id}`, account_id, details: { method, ...details } },
  );
  return { id, token, expires_at };
}

async function endReplaced(
  trx: Transaction<Database>,
  { requestId, now, address }: Pick<VisitorContext, 'requestId' | 'now' | 'address'>,
  token: string,
): Promise<void> {
  const former = await findSessionByHash(trx, hashSecret(token));
  if (former === undefined || !(await deleteSession(trx, former.user_id, former.id))) return;
  await audit(
    trx,
    {
      requestId,
      now,
      actor: {
        userId: former.user_id,
        operatorUserId: former.operator_user_id ?? undefined,
        tokenId: null,
        address,
      },
    },
    {
      action: 'session.end',
      target: `session:${former.id}`,
      account_id: former.account_id,
      details: { replaced: true },
    },
  );
}

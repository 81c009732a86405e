import { randomBytes } from 'node:crypto';
import type { Database } from '@innkeeper/db';
import {
  type CountedTry,
  createSigner,
  type EndUserContext,
  type SignInContext,
  type UserContext,
} from '@innkeeper/services';
import type { Kysely } from 'kysely';
import { actor, rowOf, type Wake } from './fixtures.ts';
import { sealer } from './records.ts';

const keys = { currentId: 'test', keys: new Map([['test', randomBytes(32)]]) };
export const signer = createSigner(() => keys);

type Attempt = [limit: string, whose: CountedTry];

/** Context of a visitor who is not signed in. Its attempts are recorded and never limited. */
export function visitor(db: Kysely<Database>, at?: Date): SignInContext & { attempts: Attempt[] } {
  const attempts: Attempt[] = [];
  return {
    db,
    sealer,
    signer,
    now: () => at ?? new Date(),
    requestId: 'test',
    address: '203.0.113.9',
    userAgent: 'Mozilla/5.0',
    countAttempt: async (limit, whose) => void attempts.push([limit, whose]),
    attempts,
  };
}

/** Context of a signed-in panel user. Its attempts are recorded and never limited. */
export function signedIn(
  db: Kysely<Database>,
  userId: number,
  { sessionId = 0, at }: { sessionId?: number; at?: Date } = {},
): UserContext & { attempts: Attempt[] } {
  const attempts: Attempt[] = [];
  return {
    attempts,
    countAttempt: async (limit, whose) => void attempts.push([limit, whose]),
    db,
    sealer,
    now: () => at ?? new Date(),
    requestId: 'test',
    actor: { userId, tokenId: null, address: '203.0.113.9' },
    sessionId,
  };
}

/** Context of an account's signed-in end user: like `signedIn`, with the wakes that it caused. */
export async function customer(
  db: Kysely<Database>,
  accountId: number,
  session: Partial<Pick<EndUserContext, 'sessionId' | 'sessionMethod'>> = {},
): Promise<EndUserContext & { attempts: Attempt[]; wakes: Wake[] }> {
  const { user_id } = await rowOf(db, accountId);
  const { actor: who, ...own } = signedIn(db, user_id);
  return {
    ...actor(db),
    ...own,
    actor: { ...who, role: 'user', accountId },
    sessionMethod: 'password',
    ...session,
  };
}

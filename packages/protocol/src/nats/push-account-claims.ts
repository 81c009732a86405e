import { connect, credsAuthenticator } from 'nats';
import { z } from 'zod';
import { accountClaimsSubject } from './account.ts';

const TIMEOUT_MS = 5_000;

const answerSchema = z.object({ error: z.object({ description: z.string() }).optional() });

/**
 * Hands the account's statement to the NATS server, which drops the users that it revokes at once. The server
 * keeps it until it is restarted or reloaded. Throws when the server cannot be reached or refuses it.
 */
export async function pushAccountClaims(options: {
  url: string;
  caPem: string;
  /** Of the system account. */
  credentials: Uint8Array;
  accountPublicKey: string;
  claims: string;
}): Promise<void> {
  const connection = await connect({
    servers: options.url,
    name: 'innkeeper-statements',
    timeout: TIMEOUT_MS,
    reconnect: false,
    ignoreClusterUpdates: true,
    authenticator: credsAuthenticator(options.credentials),
    tls: options.url.startsWith('tls:') ? { ca: options.caPem } : null,
  });
  try {
    const subject = accountClaimsSubject(options.accountPublicKey);
    const answer = await connection.request(subject, options.claims, { timeout: TIMEOUT_MS });
    const { error } = answerSchema.parse(answer.json());
    if (error !== undefined) throw new Error(`NATS refused the account's statement: ${error.description}`);
  } finally {
    await connection.close();
  }
}

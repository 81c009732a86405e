import { connect, credsAuthenticator } from 'nats';
import { z } from 'zod';
import './ed25519.ts';
import { accountClaimsSubject } from './account.ts';

const TIMEOUT_MS = 5_000;

const answerSchema = z.object({ error: z.object({ description: z.string() }).optional() });

/**
 * Sends the account's statement to the NATS server, which disconnects the revoked users at once. The server keeps the
 * statement until it is restarted or reloaded. Throws if the server is unreachable or rejects it.
 */
export async function pushAccountClaims(options: {
  url: string;
  caPem: string;
  /** Credentials of the system account. */
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

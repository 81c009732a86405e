import { subjects, type TokenRevokedMessage } from '@innkeeper/protocol';
import { readNatsCredentials } from '@innkeeper/protocol/keys';
import { connect, credsAuthenticator } from 'nats';
import type { InnctlConfig } from './config.ts';

const TIMEOUT_MS = 3_000;

/**
 * Tells every API instance to forget a revoked token now. Returns why it could not, or null; caches forget
 * the token within 5 seconds by themselves.
 */
export async function broadcastRevocation(config: InnctlConfig, tokenId: number): Promise<string | null> {
  const servers = config.natsUrl();
  if (servers === null) return 'INNKEEPER_NATS_URL is not set';
  try {
    const { credentials, caPem } = readNatsCredentials(config.keysDir());
    const connection = await connect({
      servers,
      tls: { ca: caPem },
      authenticator: credsAuthenticator(credentials),
      timeout: TIMEOUT_MS,
      reconnect: false,
      ignoreClusterUpdates: true,
    });
    const message: TokenRevokedMessage = { token_id: tokenId };
    connection.publish(subjects.tokenRevoked, JSON.stringify(message));
    await connection.drain();
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

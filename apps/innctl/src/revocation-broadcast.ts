import { subjects, type TokenRevokedMessage } from '@innkeeper/protocol';
import type { InnctlConfig } from './config.ts';
import { withNats } from './with-nats.ts';

/**
 * Tells every API instance to forget a revoked token now. Returns the reason if it failed, else null. Without the
 * message, caches forget the token within 5 s.
 */
export async function broadcastRevocation(config: InnctlConfig, tokenId: number): Promise<string | null> {
  const message: TokenRevokedMessage = { token_id: tokenId };
  try {
    await withNats(config, async (nats) => nats.publish(subjects.tokenRevoked, message));
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

import type { Innctl } from './innctl.ts';
import { broadcastRevocation } from './revocation-broadcast.ts';

/** Makes every API instance read these tokens again. Says so on standard error if it has to wait for 5 s. */
export async function broadcastRevocations(innctl: Innctl, tokenIds: readonly number[]): Promise<void> {
  for (const id of tokenIds) {
    const obstacle = await broadcastRevocation(innctl.config(), id);
    if (obstacle === null) continue;
    innctl.terminal.err(
      `API instances are not informed yet (${obstacle}). Its tokens are read again within 5 s.`,
    );
    return;
  }
}

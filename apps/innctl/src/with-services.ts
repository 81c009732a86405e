import { randomUUID } from 'node:crypto';
import { connect } from '@innkeeper/db';
import { readSealingKeys } from '@innkeeper/protocol/keys';
import { builtInAppTemplates, createSealer, noNameGuard, type OperatorContext } from '@innkeeper/services';
import type { Innctl } from './innctl.ts';
import { wakesOver } from './wake-nodes.ts';

/**
 * Runs use cases on the configured database, as an admin without a token. Its rows in the audit log name innctl. Nodes
 * are woken if NATS is reachable; otherwise they read the change with their next poll. No node is asked anything,
 * unless the command passes its own `askNode`.
 */
export async function withServices<T>(
  innctl: Innctl,
  work: (ctx: OperatorContext) => Promise<T>,
): Promise<T> {
  const db = connect(innctl.config().databaseUrl(), { poolSize: 2 });
  const wakes = wakesOver(innctl.config());
  try {
    return await work({
      db,
      actor: { userId: null, role: 'admin', tokenId: null, address: 'innctl' },
      requestId: randomUUID(),
      now: () => new Date(),
      wakeNode: wakes.wakeNode,
      askNode: async () => undefined,
      refreshUsage: async () => false,
      sealer: createSealer(() => readSealingKeys(innctl.config().keysDir())),
      appTemplates: builtInAppTemplates,
      names: noNameGuard,
    });
  } finally {
    await wakes.sent();
    await db.destroy();
  }
}

import type { RevokeNatsUsers } from '@innkeeper/protocol/keys';
import type { RevokedNatsUser } from '@innkeeper/protocol/nats';
import type { Logger } from 'pino';

const EVERY_MS = 15_000;

/** Tells NATS which identities ended. */
export interface NatsRevocations {
  /** Call this when identities ended or NATS reconnected: it checks now. */
  tell(): void;
  stop(): Promise<void>;
}

/**
 * Sends NATS the users that it must refuse: when identities end, when NATS is connected (a restarted server has
 * forgotten them), and every 15 s while there are any (a reloaded server has forgotten them too, and another instance
 * or innctl may have ended an identity). A failure is logged once and retried.
 */
export function createNatsRevocations(deps: {
  find: () => Promise<RevokedNatsUser[]>;
  /** Null: the key folder has no key for this. */
  revoke: RevokeNatsUsers | null;
  url: string;
  logger: Pick<Logger, 'warn' | 'info'>;
}): NatsRevocations {
  const { find, revoke, url, logger } = deps;
  if (revoke === null) {
    logger.warn(
      'NATS does not learn about revoked nodes: the key folder has no key for it. Run innctl init again, then restart nats-server and this service.',
    );
    return { tell: () => {}, stop: async () => {} };
  }
  let timer: NodeJS.Timeout | undefined;
  let running = Promise.resolve();
  let isWaiting = false;
  let isStopped = false;
  let hasFailed = false;
  let told = 0;

  const push = async (): Promise<void> => {
    isWaiting = false;
    if (isStopped) return;
    try {
      const revoked = await find();
      if (revoked.length > 0 || told > 0) await revoke(url, revoked);
      if (revoked.length > told)
        logger.info({ users: revoked.length }, 'NATS was informed about revoked users');
      told = revoked.length;
      hasFailed = false;
    } catch (error) {
      if (!hasFailed) logger.warn({ err: error }, 'NATS could not be informed about revoked users; retrying');
      hasFailed = true;
    }
  };
  const tell = (): void => {
    // A waiting run has not read the users yet, so it includes this change.
    if (isWaiting) return;
    isWaiting = true;
    clearTimeout(timer);
    running = running.then(push).then(() => {
      if (isStopped) return;
      clearTimeout(timer);
      timer = setTimeout(tell, EVERY_MS);
      timer.unref();
    });
  };
  tell();
  return {
    tell,
    stop: async () => {
      isStopped = true;
      clearTimeout(timer);
      await running;
    },
  };
}

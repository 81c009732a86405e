import { findRevokedNatsUsers } from '@innkeeper/db';
import { readNatsRevoker } from '@innkeeper/protocol/keys';
import type { OperatorContext } from '@innkeeper/services';
import type { InnctlConfig } from './config.ts';

/** Tells NATS which identities ended. Returns the reason if it failed, else null. The API retries in the background. */
export async function tellNatsOfRevocations(
  config: InnctlConfig,
  db: OperatorContext['db'],
): Promise<string | null> {
  const url = config.natsUrl();
  if (url === null) return 'INNKEEPER_NATS_URL is not set';
  try {
    const revoke = readNatsRevoker(config.keysDir());
    if (revoke === null) return 'the key folder is of an older release: run innctl init again';
    await revoke(url, await findRevokedNatsUsers(db));
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

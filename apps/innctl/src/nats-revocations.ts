import { findRevokedNatsUsers } from '@innkeeper/db';
import { readNatsRevoker } from '@innkeeper/protocol/keys';
import type { OperatorContext } from '@innkeeper/services';
import type { InnctlConfig } from './config.ts';

/** Tells NATS whose identity ended. Returns why it could not, or null; the API tries again by itself. */
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

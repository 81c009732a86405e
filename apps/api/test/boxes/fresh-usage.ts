import { join } from 'node:path';
import { type Installation, requireProgram } from '@innkeeper/testkit';

/**
 * Ages the stored usage of all accounts, so that the next request measures: a result is shown for 60 s. A test that
 * waits for a value would otherwise wait that long after each request.
 */
export async function expireUsage({ state }: Installation): Promise<void> {
  const socket = join(state.path, 'mariadb/server.sock');
  const statement = 'update usage_snapshots set taken_at = taken_at - interval 60 second';
  await requireProgram([
    ...['mariadb', '--no-defaults', '--user=root', `--socket=${socket}`],
    ...['innkeeper', '-e', statement],
  ]);
}

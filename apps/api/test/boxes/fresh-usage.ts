import { join } from 'node:path';
import { type Installation, requireProgram } from '@innkeeper/testkit';

/**
 * Ages the stored usage of all accounts, so that the next request measures: a result is shown for 60 s. A test that
 * waits for a value would otherwise wait that long after each request.
 */
export function expireUsage(installation: Installation): Promise<void> {
  return execute(installation, 'update usage_snapshots set taken_at = taken_at - interval 60 second');
}

/**
 * Adds history of the last hours, with a gap, so that pages have charts: an agent reports its first interval after up to
 * ten minutes.
 */
export function addHistory(installation: Installation): Promise<void> {
  const times = `select 5 as step, floor(unix_timestamp() / 300) * 300 - at * 300 as slot, 300 as measured_s, at
    from (with recursive ats (at) as (select 1 union all select at + 1 from ats where at < 200)
      select at from ats where at not between 40 and 60) as past`;
  const hours = times.replace('5 as', '60 as').replaceAll('300', '3600');
  const both = `(${times} union all ${hours}) as times`;
  return execute(
    installation,
    `insert ignore into account_usage (step, slot, account_id, measured_s, cpu_ms, memory_mb, disk_mb, sent_bytes, requests, errors)
       select step, slot, accounts.id, measured_s, at * 100, at, 500 + at, at * 100000, at * 10, at from ${both} cross join accounts;
     insert ignore into server_usage (step, slot, node_id, measured_s, cpu_busy_ms, cpu_total_ms, memory_mb, memory_total_mb,
         disk_mb, disk_total_mb, load_percent, accounts, running_accounts, sent_bytes, requests, errors)
       select step, slot, nodes.id, measured_s, at * 1000, 600000, 500 + at, 2000, 1000 + at, 9000, at, 3, 2, 1000, at * 100, at
       from ${both} cross join nodes;
     insert ignore into site_usage (slot, domain_id, sent_bytes, requests, errors)
       select floor(unix_timestamp() / 86400) * 86400, id, 5000000, 100, 1 from domains`,
  );
}

async function execute({ state }: Installation, statement: string): Promise<void> {
  const socket = join(state.path, 'mariadb/server.sock');
  await requireProgram([
    ...['mariadb', '--no-defaults', '--user=root', `--socket=${socket}`],
    ...['innkeeper', '-e', statement],
  ]);
}

import { getPool, type PoolView, type SetPoolInput, setPool } from '@innkeeper/services';
import { Command } from 'commander';
import { type Innctl, type OutputOptions, print } from '../../innctl.ts';
import { type Limit, limit, limitValue } from '../../option-values.ts';
import { renderTable } from '../../output/table.ts';
import { withServices } from '../../with-services.ts';

interface Options extends OutputOptions {
  maxAccounts?: Limit;
  diskMb?: Limit;
  bandwidthMb?: Limit;
  cpuPercent?: Limit;
  ramMb?: Limit;
  ioReadMbps?: Limit;
  ioWriteMbps?: Limit;
  iops?: Limit;
  maxProcesses?: Limit;
  overselling?: boolean;
}

export function resellerPoolCommand(innctl: Innctl): Command {
  return new Command('pool')
    .description('show what a reseller may hand out to its accounts, or change it')
    .argument('<reseller>', 'username of the reseller')
    .option('--max-accounts <n>', 'accounts', limit)
    .option('--disk-mb <n>', 'disk, MiB', limit)
    .option('--bandwidth-mb <n>', 'traffic a month, MiB', limit)
    .option('--cpu-percent <n>', 'CPU, percent of one core', limit)
    .option('--ram-mb <n>', 'memory, MiB', limit)
    .option('--io-read-mbps <n>', 'disk reads, MiB/s', limit)
    .option('--io-write-mbps <n>', 'disk writes, MiB/s', limit)
    .option('--iops <n>', 'disk operations a second', limit)
    .option('--max-processes <n>', 'processes', limit)
    .option('--overselling', 'disk, traffic, CPU and memory may be promised more than once')
    .option('--no-overselling', 'they may not')
    .option('--json', 'print the pool as JSON')
    .addHelpText(
      'after',
      '\nWhat is not named stays as it is; "none" takes a limit away. Without any of them the pool is shown.',
    )
    .action(async (reseller: string, options: Options) => {
      const changes = changesOf(options);
      const pool = await withServices(innctl, (ctx) =>
        Object.keys(changes).length === 0
          ? getPool(ctx, { reseller })
          : setPool(ctx, { reseller, ...changes }),
      );
      print(innctl.terminal, options, pool, renderPool(pool));
    });
}

function changesOf(options: Options): Omit<SetPoolInput, 'reseller'> {
  const changes = {
    max_accounts: limitValue(options.maxAccounts),
    disk_mb: limitValue(options.diskMb),
    bandwidth_mb: limitValue(options.bandwidthMb),
    cpu_percent: limitValue(options.cpuPercent),
    ram_mb: limitValue(options.ramMb),
    io_read_mbps: limitValue(options.ioReadMbps),
    io_write_mbps: limitValue(options.ioWriteMbps),
    iops: limitValue(options.iops),
    max_processes: limitValue(options.maxProcesses),
    overselling: options.overselling,
  };
  return Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined));
}

function renderPool(pool: PoolView): string {
  const { reseller: _, overselling, allocated, ...sizes } = pool;
  const rows = Object.entries(sizes).map(([field, size]) => ({
    field: field.replaceAll('_', ' '),
    size,
    allocated: field === 'max_accounts' ? allocated.accounts : allocated[field as keyof typeof allocated],
  }));
  const table = renderTable(
    [
      { title: 'POOL', value: (row) => row.field },
      { title: 'SIZE', value: (row) => row.size },
      { title: 'HANDED OUT', value: (row) => row.allocated },
    ],
    rows,
  );
  return `${table}\noverselling: ${overselling ? 'yes' : 'no'}`;
}

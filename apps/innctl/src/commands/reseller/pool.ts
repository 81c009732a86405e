import { getPool, type PoolView, type SetPoolInput, setPool } from '@innkeeper/services';
import { Command } from 'commander';
import { type Innctl, type OutputOptions, print } from '../../innctl.ts';
import { wholeNumberOrNone } from '../../option-values.ts';
import { renderTable } from '../../output/table.ts';
import { withServices } from '../../with-services.ts';

interface Options extends OutputOptions {
  maxAccounts?: number | null;
  diskMb?: number | null;
  bandwidthMb?: number | null;
  cpuPercent?: number | null;
  ramMb?: number | null;
  ioReadMbps?: number | null;
  ioWriteMbps?: number | null;
  iops?: number | null;
  maxProcesses?: number | null;
  overselling?: boolean;
}

export function resellerPoolCommand(innctl: Innctl): Command {
  return new Command('pool')
    .description('show what a reseller may hand out to its accounts, or change it')
    .argument('<reseller>', 'username of the reseller')
    .option('--max-accounts <n>', 'accounts', wholeNumberOrNone)
    .option('--disk-mb <n>', 'disk, MiB', wholeNumberOrNone)
    .option('--bandwidth-mb <n>', 'traffic a month, MiB', wholeNumberOrNone)
    .option('--cpu-percent <n>', 'CPU, percent of one core', wholeNumberOrNone)
    .option('--ram-mb <n>', 'memory, MiB', wholeNumberOrNone)
    .option('--io-read-mbps <n>', 'disk reads, MiB/s', wholeNumberOrNone)
    .option('--io-write-mbps <n>', 'disk writes, MiB/s', wholeNumberOrNone)
    .option('--iops <n>', 'disk operations a second', wholeNumberOrNone)
    .option('--max-processes <n>', 'processes', wholeNumberOrNone)
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
    max_accounts: options.maxAccounts,
    disk_mb: options.diskMb,
    bandwidth_mb: options.bandwidthMb,
    cpu_percent: options.cpuPercent,
    ram_mb: options.ramMb,
    io_read_mbps: options.ioReadMbps,
    io_write_mbps: options.ioWriteMbps,
    iops: options.iops,
    max_processes: options.maxProcesses,
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

import { pooledLimits, poolFields } from '@innkeeper/domain';
import { getPool, type PoolView, type SetPoolInput, setPool } from '@innkeeper/services';
import { Command } from 'commander';
import { type Innctl, type OutputOptions, print } from '../../innctl.ts';
import { givenLimit, limitOption } from '../../limit-options.ts';
import { limit } from '../../option-values.ts';
import { renderTable } from '../../output/table.ts';
import { withServices } from '../../with-services.ts';

interface Options extends OutputOptions {
  overselling?: boolean;
}

export function resellerPoolCommand(innctl: Innctl): Command {
  const command = new Command('pool')
    .description('show or change the pool of a reseller')
    .argument('<reseller>', 'username of the reseller')
    .option('--max-accounts <n>', 'accounts', limit);
  for (const pooled of pooledLimits)
    command.addOption(limitOption(pooled.poolField, pooled).argParser(limit));
  return command
    .option(
      '--overselling',
      'allow the reseller to allocate more disk, bandwidth, CPU and memory than the pool has',
    )
    .option('--no-overselling', 'turn overselling off')
    .option('--json', 'print the pool as JSON')
    .addHelpText(
      'after',
      '\nOmitted limits stay unchanged. "none" means unlimited. Without options the command shows the pool.',
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
  const changes = [
    ...poolFields.map((field) => [field, givenLimit(options, field)] as const),
    ['overselling', options.overselling] as const,
  ];
  return Object.fromEntries(changes.filter(([, value]) => value !== undefined));
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
      { title: 'ALLOCATED', value: (row) => row.allocated },
    ],
    rows,
  );
  return `${table}\noverselling: ${overselling ? 'yes' : 'no'}`;
}

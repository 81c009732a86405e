import { listResellers } from '@innkeeper/services';
import { Command } from 'commander';
import { type Innctl, type OutputOptions, print } from '../../innctl.ts';
import { renderTable } from '../../output/table.ts';
import { withServices } from '../../with-services.ts';

export function resellerListCommand(innctl: Innctl): Command {
  return new Command('list')
    .description('list all resellers')
    .option('--json', 'print the resellers as JSON')
    .action(async (options: OutputOptions) => {
      const resellers = await withServices(innctl, listResellers);
      const table = renderTable(
        [
          { title: 'ID', value: (one) => one.id },
          { title: 'USERNAME', value: (one) => one.username },
          { title: 'NAME', value: (one) => one.name },
          { title: 'EMAIL', value: (one) => one.email },
          { title: 'ACCOUNTS', value: (one) => one.accounts },
          { title: 'MAX', value: (one) => one.max_accounts ?? 'none' },
          { title: 'STATE', value: (one) => (one.disabled_at === null ? 'active' : 'suspended') },
        ],
        resellers,
      );
      print(innctl.terminal, options, resellers, table);
    });
}

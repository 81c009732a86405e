import { listAllPackages, type OperatorPackageView } from '@innkeeper/services';
import { Command } from 'commander';
import { type Innctl, type OutputOptions, print } from '../../innctl.ts';
import { renderTable } from '../../output/table.ts';
import { withServices } from '../../with-services.ts';

export function packageListCommand(innctl: Innctl): Command {
  return new Command('list')
    .description('list all packages, including inactive and internal ones')
    .option('--json', 'print the packages as JSON')
    .action(async (options: OutputOptions) => {
      const packages = await withServices(innctl, listAllPackages);
      const table = renderTable(
        [
          { title: 'ID', value: (row) => row.id },
          { title: 'NAME', value: (row) => row.name },
          { title: 'DISK MiB', value: (row) => row.disk_mb },
          { title: 'BANDWIDTH MiB', value: (row) => row.bandwidth_mb },
          { title: 'CPU %', value: (row) => row.cpu_percent },
          { title: 'RAM MiB', value: (row) => row.ram_mb },
          { title: 'SSH', value: (row) => row.terminal_access },
          { title: 'MAIL/H', value: (row) => row.mail_per_hour },
          { title: 'MAIL/DAY', value: (row) => row.mail_per_day },
          { title: 'PORT 25', value: (row) => (row.smtp_port_25 ? 'open' : 'closed') },
          { title: 'SOLD BY', value: sellersOf },
          { title: 'ACCOUNTS', value: (row) => row.accounts },
        ],
        packages,
      );
      print(innctl.terminal, options, packages, table);
    });
}

function sellersOf(row: OperatorPackageView): string {
  if (row.is_internal) return 'nobody (internal)';
  if (!row.is_active) return 'nobody (inactive)';
  return [row.owner ?? 'admin', ...row.assigned_resellers].join(',');
}

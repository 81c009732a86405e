import { listStaff } from '@innkeeper/services';
import { Command } from 'commander';
import { type Innctl, type OutputOptions, print } from '../../innctl.ts';
import { renderTable } from '../../output/table.ts';
import { withServices } from '../../with-services.ts';

export function staffListCommand(innctl: Innctl): Command {
  return new Command('list')
    .description('list the people who run the installation')
    .option('--json', 'print the people as JSON')
    .action(async (options: OutputOptions) => {
      const staff = await withServices(innctl, listStaff);
      const table = renderTable(
        [
          { title: 'ID', value: (person) => person.id },
          { title: 'USERNAME', value: (person) => person.username },
          { title: 'NAME', value: (person) => person.name },
          { title: 'EMAIL', value: (person) => person.email },
          { title: 'ROLE', value: (person) => person.role },
          { title: 'STATE', value: (person) => person.status },
          { title: '2FA', value: (person) => (person.has_second_factor ? 'on' : 'off') },
        ],
        staff,
      );
      print(innctl.terminal, options, staff, table);
    });
}

import { deletePackage } from '@innkeeper/services';
import { Command } from 'commander';
import { type Innctl, type OutputOptions, print } from '../../innctl.ts';
import { wholeNumber } from '../../option-values.ts';
import { withServices } from '../../with-services.ts';

export function packageDeleteCommand(innctl: Innctl): Command {
  return new Command('delete')
    .description('delete a package that no account has')
    .argument('<id>', 'id of the package (see: innctl package list)', wholeNumber)
    .option('--json', 'print the name as JSON')
    .action(async (package_id: number, output: OutputOptions) => {
      const gone = await withServices(innctl, (ctx) => deletePackage(ctx, { package_id }));
      print(innctl.terminal, output, gone, `Package ${gone.name} was deleted.`);
    });
}

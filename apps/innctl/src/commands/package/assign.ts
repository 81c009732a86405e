import { assignPackage } from '@innkeeper/services';
import { Command } from 'commander';
import { type Innctl, type OutputOptions, print } from '../../innctl.ts';
import { wholeNumber } from '../../option-values.ts';
import { withServices } from '../../with-services.ts';

interface Options extends OutputOptions {
  reseller: string;
}

export function packageAssignCommand(innctl: Innctl): Command {
  return new Command('assign')
    .description('let a reseller sell a package of the admin')
    .argument('<id>', 'id of the package (see: innctl package list)', wholeNumber)
    .requiredOption('--reseller <username>', 'the reseller')
    .option('--json', 'print the assignment as JSON')
    .action(async (packageId: number, { reseller, ...output }: Options) => {
      await withServices(innctl, (ctx) => assignPackage(ctx, { package_id: packageId, reseller }));
      print(
        innctl.terminal,
        output,
        { package_id: packageId, reseller },
        `Reseller ${reseller} can sell package ${packageId}.`,
      );
    });
}

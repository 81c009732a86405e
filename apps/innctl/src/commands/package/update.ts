import { updatePackage } from '@innkeeper/services';
import { Command, Option } from 'commander';
import { type Innctl, type OutputOptions, print } from '../../innctl.ts';
import { wholeNumber } from '../../option-values.ts';
import { withServices } from '../../with-services.ts';

interface Options extends OutputOptions {
  smtpPort25: 'open' | 'closed';
}

export function packageUpdateCommand(innctl: Innctl): Command {
  return new Command('update')
    .description('open or close port 25 for all accounts of a package (for its limits: package change)')
    .argument('<id>', 'id of the package (see: innctl package list)', wholeNumber)
    .addOption(
      new Option('--smtp-port-25 <state>', 'whether accounts can send mail directly to other servers')
        .choices(['open', 'closed'])
        .makeOptionMandatory(),
    )
    .option('--json', 'print the package as JSON')
    .action(async (packageId: number, { smtpPort25, ...output }: Options) => {
      const updated = await withServices(innctl, (ctx) =>
        updatePackage(ctx, { package_id: packageId, smtp_port_25: smtpPort25 === 'open' }),
      );
      print(
        innctl.terminal,
        output,
        updated,
        `Port 25 is ${smtpPort25} for package ${updated.name}. Its accounts get the change within 1 minute.`,
      );
    });
}

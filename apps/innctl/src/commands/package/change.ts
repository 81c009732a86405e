import { type Limit, limits, type PackageLimits } from '@innkeeper/domain';
import { changePackage, getPackage } from '@innkeeper/services';
import { Command, Option } from 'commander';
import { type Innctl, type OutputOptions, print } from '../../innctl.ts';
import { givenLimit, limitOption } from '../../limit-options.ts';
import { limit as limitOrNone, wholeNumber } from '../../option-values.ts';
import { withServices } from '../../with-services.ts';

interface Options extends OutputOptions {
  name?: string;
  terminalAccess?: 'on' | 'off';
  accounts: 'follow' | 'keep';
}

/** The accounts follow in the background: an instance of the API applies what this command stores. */
export function packageChangeCommand(innctl: Innctl): Command {
  const command = new Command('change')
    .description('change the name and the limits of a package, and say whether its accounts follow')
    .argument('<id>', 'id of the package (see: innctl package list)', wholeNumber)
    .option('--name <text>', 'display name for customers');
  for (const limit of limits) {
    const option = limitOption(limit.packageField, limit);
    command.addOption(option.argParser(limit.unlimitable ? limitOrNone : wholeNumber));
  }
  return command
    .addOption(
      new Option('--terminal-access <state>', 'whether accounts can sign in by SSH').choices(['on', 'off']),
    )
    .addOption(
      new Option('--accounts <choice>', 'whether accounts of the package follow, or keep their limits')
        .choices(['follow', 'keep'])
        .makeOptionMandatory(),
    )
    .option('--json', 'print the package as JSON')
    .addHelpText('after', '\nThe limit "none" means unlimited. Omitted options change nothing.')
    .action(async (packageId: number, options: Options) => {
      const changed = await withServices(innctl, async (ctx) => {
        const present = await getPackage(ctx, { package_id: packageId });
        return await changePackage(ctx, {
          package_id: packageId,
          name: options.name ?? present.name,
          ...limitsIn(options, present),
          terminal_access:
            options.terminalAccess === undefined ? present.terminal_access : options.terminalAccess === 'on',
          accounts: options.accounts,
        });
      });
      const after =
        changed.bulk_change_id === null
          ? ''
          : ` Its accounts follow in the background (change ${changed.bulk_change_id} in the panel).`;
      print(innctl.terminal, options, changed, `Package ${changed.package.name} was changed.${after}`);
    });
}

function limitsIn(options: Options, present: PackageLimits): PackageLimits {
  const chosen = ({ packageField }: Limit) => {
    const given = givenLimit(options, packageField);
    return given === undefined ? present[packageField] : given;
  };
  return Object.fromEntries(limits.map((limit) => [limit.packageField, chosen(limit)])) as PackageLimits;
}

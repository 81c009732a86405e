import { tokenPresets } from '@innkeeper/domain';
import { type CreateTokenInput, createToken } from '@innkeeper/services';
import { Command, Option } from 'commander';
import { type Innctl, type OutputOptions, print } from '../../innctl.ts';
import { collect, wholeNumber } from '../../option-values.ts';
import { withServices } from '../../with-services.ts';

interface Options extends OutputOptions {
  user: string;
  name: string;
  purpose?: string;
  preset?: string;
  ability?: string[];
  allowedIps?: string;
  expiresInDays?: number;
}

export function tokenCreateCommand(innctl: Innctl): Command {
  const presets = tokenPresets.filter((preset) => preset !== 'custom');
  return new Command('create')
    .description('create an API token (shown only once)')
    .requiredOption('--user <username>', 'admin or reseller that the token acts as')
    .requiredOption('--name <text>', 'name of the token in lists')
    .option('--purpose <word>', 'purpose of the token (default: api)')
    .addOption(new Option('--preset <preset>', 'set of abilities').choices(presets))
    .option(
      '--ability <ability>',
      'an ability, such as accounts:read; repeatable; "none" for no ability',
      collect,
    )
    .option('--allowed-ips <list>', 'addresses and CIDR ranges, comma-separated (default: any address)')
    .option('--expires-in-days <days>', 'days until it stops working (default: it has no end)', wholeNumber)
    .option('--json', 'print the token as JSON')
    .action(async (options: Options) => {
      const { token, plain_token } = await withServices(innctl, (ctx) => createToken(ctx, inputOf(options)));
      print(innctl.terminal, options, { ...token, token: plain_token }, plain_token);
      if (!options.json)
        innctl.terminal.err(
          `Token ${token.id} was created. It is shown only this time: store it in a safe place.`,
        );
    });
}

function inputOf({
  user,
  name,
  purpose,
  preset,
  ability,
  allowedIps,
  expiresInDays,
}: Options): CreateTokenInput {
  return {
    user,
    name,
    ...(purpose === undefined ? {} : { purpose }),
    ...(preset === undefined ? {} : { preset }),
    ...(ability === undefined ? {} : { abilities: ability.filter((name) => name !== 'none') }),
    ...(allowedIps === undefined ? {} : { allowed_ips: allowedIps }),
    ...(expiresInDays === undefined ? {} : { expires_in_days: expiresInDays }),
  };
}

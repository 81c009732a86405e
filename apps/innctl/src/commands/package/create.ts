import { limits, type PackageLimits } from '@innkeeper/domain';
import { type CreatePackageInput, createPackage } from '@innkeeper/services';
import { Command } from 'commander';
import { type Innctl, type OutputOptions, print } from '../../innctl.ts';
import { givenLimit, limitOption } from '../../limit-options.ts';
import { collect, limit as limitOrNone, wholeNumber } from '../../option-values.ts';
import { withServices } from '../../with-services.ts';

interface Options extends OutputOptions {
  name: string;
  slug?: string;
  terminalAccess?: true;
  smtpPort25?: true;
  maxFtpLogins?: number;
  mailPerHour?: number;
  mailPerDay?: number;
  internal?: true;
  owner?: string;
  reseller?: string[];
}

export function packageCreateCommand(innctl: Innctl): Command {
  const command = new Command('create')
    .description('create a package: a set of limits for accounts')
    .requiredOption('--name <text>', 'display name for customers')
    .option('--slug <slug>', 'name in URLs (default: derived from the name)');
  for (const limit of limits) {
    const option = limitOption(limit.packageField, limit);
    command.addOption(
      limit.unlimitable
        ? option.argParser(limitOrNone).default('none')
        : option.argParser(wholeNumber).makeOptionMandatory(),
    );
  }
  return command
    .option('--terminal-access', 'allow SSH login for the accounts')
    .option('--smtp-port-25', 'allow the accounts to send mail directly to other servers (port 25)')
    .option('--max-ftp-logins <number>', 'FTP and SFTP logins of each account (default: 5)', wholeNumber)
    .option('--mail-per-hour <n>', 'recipients of mail in an hour; 0: none (default: 100)', wholeNumber)
    .option('--mail-per-day <n>', 'recipients of mail on a day; 0: none (default: 500)', wholeNumber)
    .option('--internal', 'internal package for accounts with custom limits, not for sale')
    .option('--owner <reseller>', 'reseller who owns the package (default: the admin)')
    .option('--reseller <username>', 'another reseller who can sell it; repeatable', collect)
    .option('--json', 'print the package as JSON')
    .addHelpText('after', '\nThe limit "none" means unlimited.')
    .action(async (options: Options) => {
      const made = await withServices(innctl, (ctx) => createPackage(ctx, inputOf(options)));
      print(
        innctl.terminal,
        options,
        made,
        `Package ${made.name} was created (id ${made.id}, slug ${made.slug}).`,
      );
    });
}

function inputOf(options: Options): CreatePackageInput {
  return {
    name: options.name,
    ...limitsIn(options),
    terminal_access: options.terminalAccess ?? false,
    smtp_port_25: options.smtpPort25 ?? false,
    ...(options.maxFtpLogins === undefined ? {} : { max_ftp_logins: options.maxFtpLogins }),
    ...(options.mailPerHour === undefined ? {} : { mail_per_hour: options.mailPerHour }),
    ...(options.mailPerDay === undefined ? {} : { mail_per_day: options.mailPerDay }),
    ...(options.slug === undefined ? {} : { slug: options.slug }),
    ...(options.internal === undefined ? {} : { is_internal: true }),
    ...(options.owner === undefined ? {} : { owner: options.owner }),
    ...(options.reseller === undefined ? {} : { resellers: options.reseller }),
  };
}
function limitsIn(options: Options): PackageLimits {
  return Object.fromEntries(
    limits.map(({ packageField }) => [packageField, givenLimit(options, packageField)]),
  ) as PackageLimits;
}

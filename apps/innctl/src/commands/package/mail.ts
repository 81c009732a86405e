import { setPackageMail } from '@innkeeper/services';
import { Command } from 'commander';
import { type Innctl, type OutputOptions, print } from '../../innctl.ts';
import { wholeNumber } from '../../option-values.ts';
import { withServices } from '../../with-services.ts';

interface Options extends OutputOptions {
  perHour: number;
  perDay: number;
}

export function packageMailCommand(innctl: Innctl): Command {
  return new Command('mail')
    .description('set how much mail each account of a package may send')
    .argument('<id>', 'id of the package (see: innctl package list)', wholeNumber)
    .requiredOption('--per-hour <n>', 'recipients in an hour; 0: none', wholeNumber)
    .requiredOption('--per-day <n>', 'recipients on a day; 0: none', wholeNumber)
    .option('--json', 'print the limits as JSON')
    .action(async (package_id: number, { perHour, perDay, ...output }: Options) => {
      const saved = await withServices(innctl, (ctx) =>
        setPackageMail(ctx, { package_id, mail_per_hour: perHour, mail_per_day: perDay }),
      );
      print(
        innctl.terminal,
        output,
        saved,
        `Accounts of package ${saved.name} may send to ${perHour} recipients an hour and ${perDay} a day. They get the change within 1 minute.`,
      );
    });
}
